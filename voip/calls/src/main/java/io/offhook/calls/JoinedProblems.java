package io.offhook.calls;

import io.offhook.calls.CallJoins.Reported;
import io.offhook.calls.relay.StreamPassage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The problems of a call that several dialogs are; those of further legs name their Call-ID. Once the call was answered,
 * how another leg fared before no longer matters: its problems are notes, unless the two who talk notice them. Silence that
 * passed through several legs is reported once.
 */
final class JoinedProblems {
    private static final int REQUEST_TERMINATED = 487;

    private JoinedProblems() {}

    /**
     * Judges a call as a whole.
     *
     * @param members its dialogs, that of the caller first
     * @param streams of all of them
     * @param passages the ways of these from leg to leg
     */
    static List<Problem> of(
            List<Reported> members, List<StreamReport> streams, List<StreamPassage> passages, StreamReporter reporter) {
        CallReport root = members.getFirst().report();
        boolean isAnswered = root.outcome() == Outcome.ANSWERED || root.outcome() == Outcome.ONGOING;
        List<Problem> problems = new ArrayList<>(root.problems());
        Set<Problem> known = new HashSet<>(problems);
        for (Reported member : members.subList(1, members.size())) {
            CallReport report = member.report();
            for (Problem problem : report.problems()) {
                if (!known.add(problem) || isSilence(problem) && hasAlike(root.problems(), problem)) {
                    continue; // of a stream that both announce, or silence that passed through
                }
                Problem own = problem.of(report.callId());
                if (isAnswered && isGivenUp(own)) {
                    own = own.as(Problem.Kind.COMPLETED_ELSEWHERE, ProblemClass.NORMAL)
                            .withStatus(report.finalStatus());
                }
                problems.add(isAnswered && !isHeard(own) ? own.as(own.kind(), ProblemClass.NOTE) : own);
            }
        }
        if (isAnswered) {
            addRelayLoss(problems, members, streams, passages, reporter);
        }
        problems.sort(CallProblems::byClassAndTime);
        return List.copyOf(problems);
    }

    /** What got lost on the way of all legs, in the place of what single legs show of it. */
    private static void addRelayLoss(
            List<Problem> problems,
            List<Reported> members,
            List<StreamReport> streams,
            List<StreamPassage> passages,
            StreamReporter reporter) {
        List<CallReport.Hold> holds = new ArrayList<>();
        List<Call> answered = new ArrayList<>(members.size());
        for (Reported member : members) {
            holds.addAll(member.report().holds());
            if (member.call().isAnswered() && member.call().media().showsAudio()) {
                answered.add(member.call());
            }
        }
        problems.removeIf(problem -> problem.kind() == Problem.Kind.RELAY_LOSS);
        problems.addAll(reporter.problems().relayLoss(passages, holds));
        problems.addAll(StreamProblems.silentRelays(answered, streams, reporter));
    }

    /** Whether the leg ended as one does that is called off. */
    private static boolean isGivenUp(Problem problem) {
        return problem.kind() == Problem.Kind.CANCELLED
                || problem.kind() == Problem.Kind.FAILED && problem.status() == REQUEST_TERMINATED;
    }

    private static boolean isSilence(Problem problem) {
        return problem.kind() == Problem.Kind.NO_AUDIO || problem.kind() == Problem.Kind.ONE_WAY_AUDIO;
    }

    private static boolean hasAlike(List<Problem> problems, Problem problem) {
        for (Problem other : problems) {
            if (other.kind() == problem.kind() && other.side() == problem.side()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the two who talk notice a problem, on whichever leg it is: bad audio and a call that breaks off. How a leg
     * was set up no longer matters once the call was answered.
     */
    private static boolean isHeard(Problem problem) {
        return switch (problem.kind()) {
            case LOSS,
                    LATE,
                    LOW_MOS,
                    JITTER,
                    AUDIO_GAP,
                    AUDIO_STOPPED,
                    AUDIO_STARTED_LATE,
                    ONE_WAY_AUDIO,
                    NO_AUDIO,
                    RELAY_LOSS,
                    DROPPED,
                    MEDIA_TIMEOUT -> true;
            default -> false;
        };
    }
}
