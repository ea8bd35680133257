package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.rtp.AudioPause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether there was audio when it was due, from both sides, and why not. */
final class AudioProblems {
    /** So long after the answer early media is over. */
    private static final long SETTLED_NS = 1_000_000_000L;

    /** So long after the answer no packet of early media is still on its way. */
    private static final long BEGUN_NS = 100_000_000L;

    private static final long TOGETHER_NS = 2_000_000_000L;
    private static final int MOST_GAPS = 8;
    private static final int TALKER_PAUSES = 2;
    private static final long MANY_PACKETS = 50;

    private final List<StreamReport> streams;
    private final Call call;
    private final List<CallReport.Hold> holds;
    private final long talkFromNs;
    private final long endNs;
    private final List<IcmpEvent> icmpErrors;
    private final CaptureLosses losses;
    private final ProblemLimits limits;
    private final List<Problem> problems = new ArrayList<>(1);

    /** What the capture lacks, as far as all calls together show. */
    interface CaptureLosses {
        /** Whether the capture itself reports that it lost packets between two times. */
        boolean reported(long fromNs, long untilNs);

        /** Whether the clock of the capture was set between two times. */
        boolean isClockSet(long fromNs, long untilNs);

        /** Whether streams of three calls or more ended within a second of this time. */
        boolean manyStreamsEnded(long atNs);

        /**
         * Whether the other side reports by RTCP, while both talk, to receive audio of a side that was not captured.
         *
         * @param streams of the call, as captured
         * @param endNs of the call, or of the capture
         */
        boolean hasArrived(Call call, Side side, List<StreamReport> streams, long endNs);
    }

    AudioProblems(
            Call call,
            List<StreamReport> streams,
            List<CallReport.Hold> holds,
            long endNs,
            List<IcmpEvent> icmpErrors,
            CaptureLosses losses,
            ProblemLimits limits) {
        this.call = call;
        this.streams = streams;
        this.holds = holds;
        this.endNs = endNs;
        this.icmpErrors = icmpErrors;
        this.losses = losses;
        this.limits = limits;
        talkFromNs = call.media().session().talkFromNs();
    }

    List<Problem> list() {
        AudioActivity caller = new AudioActivity(streams, Side.CALLER);
        AudioActivity callee = new AudioActivity(streams, Side.CALLEE);
        if (isHeardThroughout(caller) && isHeardThroughout(callee)) {
            return problems;
        }
        AudioDue due = new AudioDue(call, holds, endNs);
        boolean isCallerHeard = caller.isHeardFrom(talkFromNs + SETTLED_NS);
        boolean isCalleeHeard = callee.isHeardFrom(talkFromNs + SETTLED_NS);
        boolean isAnyHeard = isCallerHeard || isCalleeHeard;
        if (!isAnyHeard) {
            // then it matters who had at least begun to talk
            isCallerHeard = caller.isHeardFrom(talkFromNs + BEGUN_NS);
            isCalleeHeard = callee.isHeardFrom(talkFromNs + BEGUN_NS);
        }
        boolean callerMissing = !isCallerHeard && isAudible(due, Side.CALLER);
        boolean calleeMissing = !isCalleeHeard && isAudible(due, Side.CALLEE);
        if (!isCallerHeard && !isCalleeHeard && (callerMissing || calleeMissing)) {
            none(callerMissing, calleeMissing);
            return problems;
        }
        if (callerMissing || calleeMissing) {
            problems.add(oneWay(callerMissing ? Side.CALLER : Side.CALLEE));
        }
        if (isAnyHeard && isCallerHeard) {
            overTime(Side.CALLER, caller, due.of(Side.CALLER));
        }
        if (isAnyHeard && isCalleeHeard) {
            overTime(Side.CALLEE, callee, due.of(Side.CALLEE));
        }
        joinStops();
        return problems;
    }

    /** Neither side was heard: unless one reports that it heard the other. */
    private void none(boolean callerMissing, boolean calleeMissing) {
        boolean isCallerHeard = callerMissing && hasArrived(Side.CALLER);
        boolean isCalleeHeard = calleeMissing && hasArrived(Side.CALLEE);
        if (isCallerHeard && isCalleeHeard) {
            problems.add(uncaptured(ProblemSide.BOTH));
        } else if (!isCallerHeard && !isCalleeHeard) {
            problems.add(Problem.of(Problem.Kind.NO_AUDIO, ProblemClass.SERVICE, talkFromNs));
        } else {
            Side heard = isCallerHeard ? Side.CALLER : Side.CALLEE;
            problems.add(uncaptured(ProblemSide.of(heard)));
            if (isCallerHeard ? calleeMissing : callerMissing) {
                problems.add(Problem.of(Problem.Kind.ONE_WAY_AUDIO, ProblemClass.SERVICE, talkFromNs)
                        .from(ProblemSide.of(heard.other())));
            }
        }
    }

    private Problem oneWay(Side silent) {
        ProblemSide side = ProblemSide.of(silent);
        return hasArrived(silent)
                ? uncaptured(side)
                : Problem.of(Problem.Kind.ONE_WAY_AUDIO, ProblemClass.SERVICE, talkFromNs)
                        .from(side);
    }

    private boolean hasArrived(Side side) {
        return losses.hasArrived(call, side, streams, endNs);
    }

    /** Audio that the other side reports to have received is missing to the capture alone. */
    private Problem uncaptured(ProblemSide side) {
        return Problem.of(Problem.Kind.CAPTURE_LOSS, ProblemClass.NOTE, talkFromNs)
                .withSeconds(seconds(endNs - talkFromNs))
                .because(new Problem.Cause.Audio(AudioCause.CAPTURE))
                .from(side);
    }

    /** Whether there was audio all the time, so that nothing was due that was not there: as in nearly all calls. */
    private boolean isHeardThroughout(AudioActivity audio) {
        return audio.isContinuous()
                && seconds(audio.firstNs() - talkFromNs)
                        < limits.audio().lateSeconds().note()
                && audio.lastNs() >= talkFromNs + SETTLED_NS
                && seconds(endNs - audio.lastNs()) < limits.audio().stoppedSeconds();
    }

    /** Whether there was enough time to be heard, not only between long holds, and the capture has more of the side. */
    private boolean isAudible(AudioDue due, Side side) {
        Spans agreed = due.agreed(side);
        return !call.isUnseen(side)
                && seconds(agreed.ns()) >= limits.audio().dueSeconds()
                && agreed.ns() * 2 > due.talkNs();
    }

    private void overTime(Side side, AudioActivity audio, Spans due) {
        startedLate(side, audio, due);
        gaps(side, audio, due);
        stopped(side, audio, due);
    }

    private void startedLate(Side side, AudioActivity audio, Spans due) {
        if (due.isEmpty()) {
            return;
        }
        long lateNs = audio.firstNs() - due.list().getFirst().fromNs();
        double note = limits.audio().lateSeconds().note();
        if (seconds(lateNs) >= note && seconds(due.within(0, audio.firstNs()).ns()) >= note) {
            ProblemClass problemClass = limits.audio().lateSeconds().classOf(seconds(lateNs));
            problems.add(Problem.of(
                            Problem.Kind.AUDIO_STARTED_LATE,
                            problemClass,
                            due.list().getFirst().fromNs())
                    .from(ProblemSide.of(side))
                    .withSeconds(seconds(lateNs)));
        }
    }

    private void gaps(Side side, AudioActivity audio, Spans due) {
        List<Problem> found = new ArrayList<>();
        int suppressed = 0;
        for (Spans.Span gap : audio.gaps()) {
            AudioPause pause = audio.pauseOf(gap);
            if (pause != null && pause.isSuppressed()) {
                suppressed++;
                continue;
            }
            Spans.Span missing = due.within(gap.fromNs(), gap.untilNs()).longest();
            if (seconds(missing.ns()) >= limits.audio().gapSeconds().note()
                    && !losses.reported(gap.fromNs(), gap.untilNs())
                    && !losses.isClockSet(gap.fromNs(), gap.untilNs())) {
                found.add(gap(side, audio, gap, missing, pause, suppressed >= TALKER_PAUSES));
            }
        }
        found.sort((a, b) -> Double.compare(b.seconds(), a.seconds()));
        problems.addAll(found.subList(0, Math.min(MOST_GAPS, found.size())));
    }

    private Problem gap(
            Side side,
            AudioActivity audio,
            Spans.Span gap,
            Spans.Span missing,
            @Nullable AudioPause pause,
            boolean isTalker) {
        long lost = pause == null ? 0 : Math.max(0, pause.missing());
        StreamReport stream = audio.lastBefore(gap.fromNs());
        int empty = pause == null ? 0 : pause.empty();
        AudioCause cause = cause(stream, gap, lost, empty, pause != null && pause.missing() == 0 || isTalker);
        if (cause == AudioCause.STOPPED && losses.manyStreamsEnded(gap.fromNs())) {
            cause = AudioCause.MANY_CALLS;
        }
        boolean isService = isService(cause)
                || cause == AudioCause.STOPPED
                        && seconds(missing.ns()) >= limits.audio().gapSeconds().service();
        Problem.Kind kind = cause.isCaptures() ? Problem.Kind.CAPTURE_LOSS : Problem.Kind.AUDIO_GAP;
        return Problem.of(kind, isService ? ProblemClass.SERVICE : ProblemClass.NOTE, missing.fromNs())
                .from(ProblemSide.of(side))
                .withSeconds(seconds(missing.ns()))
                .withCount(lost)
                .because(new Problem.Cause.Audio(cause));
    }

    private void stopped(Side side, AudioActivity audio, Spans due) {
        long lastNs = audio.lastNs();
        Spans rest = due.within(lastNs, Long.MAX_VALUE);
        StreamReport stream = audio.lastBefore(lastNs);
        if (seconds(rest.ns()) < limits.audio().stoppedSeconds()
                || stream == null
                || stream.statistics().endsWithComfortNoise()) {
            return;
        }
        Spans.Span silence = new Spans.Span(lastNs, rest.list().getLast().untilNs());
        if (losses.reported(silence.fromNs(), silence.untilNs())) {
            return;
        }
        AudioCause cause = cause(stream, silence, 0, stream.statistics().emptyPacketsAtEnd(), false);
        if (cause == AudioCause.STOPPED && losses.manyStreamsEnded(lastNs)) {
            cause = AudioCause.MANY_CALLS;
        }
        boolean isService = isService(cause) || cause == AudioCause.STOPPED;
        Problem.Kind kind = cause.isCaptures() ? Problem.Kind.CAPTURE_LOSS : Problem.Kind.AUDIO_STOPPED;
        problems.add(Problem.of(kind, isService ? ProblemClass.SERVICE : ProblemClass.NOTE, lastNs)
                .from(ProblemSide.of(side))
                .withSeconds(seconds(rest.ns()))
                .because(new Problem.Cause.Audio(cause)));
    }

    /**
     * The first cause that holds.
     *
     * @param lost numbers that are missing in the gap
     * @param empty packets in it that carried nothing, which RTCP counts like all others
     */
    private AudioCause cause(
            @Nullable StreamReport stream, Spans.Span gap, long lost, int empty, boolean isSuppressed) {
        FarEnd farEnd = stream == null ? null : stream.farEnd();
        long received = farEnd == null ? -1 : farEnd.receivedNumbers().growth(gap.fromNs(), gap.untilNs());
        if (received >= MANY_PACKETS + empty) {
            return AudioCause.CAPTURE;
        }
        double packetMs = stream == null ? 0 : stream.statistics().packetTimeMs();
        if (lost > 0 && lost * packetMs * 1e6 * 2 >= gap.ns()) {
            return AudioCause.LOST;
        }
        long sent = stream == null ? -1 : stream.sentPackets(gap.fromNs(), gap.untilNs());
        if (sent >= MANY_PACKETS + empty) {
            return AudioCause.LOST_BEFORE_CAPTURE;
        }
        if (stream != null && isRefused(stream)) {
            return AudioCause.ICMP;
        }
        if (sent >= 0 && sent <= empty) {
            return AudioCause.SILENT;
        }
        return isSuppressed ? AudioCause.SUPPRESSED : AudioCause.STOPPED;
    }

    private boolean isRefused(StreamReport stream) {
        for (IcmpEvent error : icmpErrors) {
            if (error.destination().equals(stream.destination())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isService(AudioCause cause) {
        return switch (cause) {
            case LOST, LOST_BEFORE_CAPTURE, ICMP -> true;
            case CAPTURE, MANY_CALLS, SILENT, SUPPRESSED, STOPPED -> false;
        };
    }

    /** Both sides that stopped together are one problem. */
    private void joinStops() {
        Problem first = null;
        for (Problem problem : List.copyOf(problems)) {
            if (problem.kind() != Problem.Kind.AUDIO_STOPPED) {
                continue;
            }
            if (first != null && Math.abs(problem.atNs() - first.atNs()) <= TOGETHER_NS) {
                Problem earlier = problem.atNs() < first.atNs() ? problem : first;
                problems.removeAll(List.of(first, problem));
                problems.add(earlier.from(ProblemSide.BOTH));
            }
            first = problem;
        }
    }

    private static double seconds(long ns) {
        return ns / 1e9;
    }
}
