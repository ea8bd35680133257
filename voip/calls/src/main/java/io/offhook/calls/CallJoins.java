package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.join.DialogFacts;
import io.offhook.calls.join.DialogJoiner;
import io.offhook.calls.join.JoinedDialogs;
import io.offhook.calls.join.NearDialogs;
import io.offhook.calls.relay.SharedMedia;
import io.offhook.calls.relay.StreamPassage;
import io.offhook.packet.Endpoint;
import io.offhook.packet.PlacedCount;
import io.offhook.rtp.RtpStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes one report of the reports of all dialogs of a call, at the end. */
final class CallJoins {
    /** The most media addresses of a dialog that are compared. */
    private static final int MOST_MEDIA = 8;

    private static final int REQUEST_TERMINATED = 487;

    /** A dialog and its report. */
    record Reported(Call call, CallReport report) {}

    private final List<Reported> dialogs;
    private final List<Reported> uninvited;
    private final JoinedDialogs joined;
    private final StreamReporter reporter;
    private final Map<String, List<CallReport.Relation>> relations;

    private CallJoins(List<Reported> dialogs, List<Reported> uninvited, JoinedDialogs joined, StreamReporter reporter) {
        this.reporter = reporter;
        this.dialogs = dialogs;
        relations = CallRelations.of(dialogs);
        this.uninvited = uninvited;
        this.joined = joined;
    }

    /**
     * Joins dialogs.
     *
     * @param reports of each Call-ID
     * @param captureEndNs the time of the last packet of the capture
     * @param reporter of their streams
     */
    static CallJoins of(List<Reported> reports, long captureEndNs, StreamReporter reporter) {
        return of(reports, captureEndNs, reporter, true);
    }

    /**
     * The reports of dialogs in the middle of a capture, each with all dialogs of its call. Media is not compared: while
     * streams go on, a pair may fit now and not a moment later.
     *
     * @param reports of each Call-ID that is not settled
     * @param watch is told of each
     */
    static List<Reported> standing(List<Reported> reports, long nowNs, StreamReporter reporter, CallWatch watch) {
        CallJoins joins = of(reports, nowNs, reporter, false);
        List<Reported> standing = new ArrayList<>(joins.uninvited);
        joins.uninvited.forEach(each -> watch.reported(each, List.of(each.call)));
        Map<Integer, List<Integer>> legs = joins.legs();
        Map<String, List<Call>> related = joins.related();
        for (int i = 0; i < joins.dialogs.size(); i++) {
            int root = joins.joined.root(i);
            List<Integer> members = new ArrayList<>(List.of(root));
            members.addAll(legs.getOrDefault(root, List.of()));
            Reported each = joins.standing(i, members);
            List<Call> group = new ArrayList<>(members.size());
            for (int member : members) {
                group.add(joins.dialogs.get(member).call);
                group.addAll(related.getOrDefault(joins.callId(member), List.of()));
            }
            watch.reported(each, group);
            standing.add(each);
        }
        return standing;
    }

    /** The calls that each Call-ID has a relation to, or that have one to it. */
    private Map<String, List<Call>> related() {
        Map<String, List<Call>> related = new HashMap<>();
        if (relations.isEmpty()) {
            return related;
        }
        Map<String, Call> byCallId = new HashMap<>();
        dialogs.forEach(each -> byCallId.put(each.report.callId(), each.call));
        relations.forEach((callId, list) -> {
            for (CallReport.Relation relation : list) {
                Call one = byCallId.get(callId);
                Call other = byCallId.get(relation.callId());
                if (one != null && other != null) {
                    related.computeIfAbsent(callId, _ -> new ArrayList<>(1)).add(other);
                    related.computeIfAbsent(relation.callId(), _ -> new ArrayList<>(1))
                            .add(one);
                }
            }
        });
        return related;
    }

    /** A dialog with all others of its call, and nothing else of them. */
    private Reported standing(int dialog, List<Integer> members) {
        Reported own = dialogs.get(dialog);
        List<CallReport.Relation> related = relations(members);
        if (members.size() == 1 && related.isEmpty()) {
            return own;
        }
        CallReport report = own.report;
        CallReport.Signalling signalling = report.signalling();
        CallReport.Joined dialogsOf = new CallReport.Joined(describe(members), related, List.of());
        return new Reported(
                own.call,
                new CallReport(
                        report.callId(),
                        report.parties(),
                        report.result(),
                        report.times(),
                        new CallReport.Signalling(
                                signalling.transport(),
                                signalling.counts(),
                                signalling.legs(),
                                signalling.firstFrame(),
                                dialogsOf,
                                signalling.headers(),
                                signalling.cutFrames()),
                        report.media(),
                        report.diagnosis()));
    }

    private static CallJoins of(
            List<Reported> reports, long captureEndNs, StreamReporter reporter, boolean comparesMedia) {
        List<Reported> dialogs = new ArrayList<>(reports.size());
        List<Reported> uninvited = new ArrayList<>();
        for (Reported each : reports) {
            boolean isInvited =
                    each.call.invitedNs() != Call.NEVER && !each.report.legs().isEmpty();
            (isInvited ? dialogs : uninvited).add(each);
        }
        dialogs.sort(CallJoins::byInvitation);
        List<DialogFacts> facts = new ArrayList<>(dialogs.size());
        for (Reported each : dialogs) {
            facts.add(facts(each.call, each.report, captureEndNs));
        }
        SharedMedia media = comparesMedia ? sharedMedia(dialogs, facts, reporter) : SharedMedia.NONE;
        return new CallJoins(dialogs, uninvited, DialogJoiner.join(facts, media), reporter);
    }

    /**
     * Which dialogs carry packets of one stream, and which payloads: only SSRCs that occur in several are looked at, and
     * only payloads that were sampled, because the calls may be legs of one.
     */
    private static SharedMedia sharedMedia(List<Reported> dialogs, List<DialogFacts> facts, StreamReporter reporter) {
        Set<Long> repeated = repeatedSsrcs(dialogs);
        SharedMedia.Builder media = new SharedMedia.Builder();
        NearDialogs<Integer> near = new NearDialogs<>();
        for (int i = 0; i < dialogs.size(); i++) {
            boolean isLogged = false;
            for (StreamReport stream : dialogs.get(i).report.streams()) {
                if (repeated.contains(stream.ssrc())) {
                    media.add(i, stream.point(true, null));
                }
                if (reporter.isLogged(stream)) {
                    media.addLogged(i, reporter.point(stream));
                    isLogged = true;
                }
            }
            if (isLogged) {
                DialogFacts each = facts.get(i);
                near.add(
                        i,
                        each.course().invitedNs(),
                        each.way().source(),
                        each.way().destinations(),
                        each.users(),
                        media::addNear);
            }
        }
        return media.build();
    }

    private static Set<Long> repeatedSsrcs(List<Reported> dialogs) {
        int[] ssrcs = new int[64];
        int count = 0;
        for (Reported each : dialogs) {
            for (StreamReport stream : each.report.streams()) {
                ssrcs = count == ssrcs.length ? Arrays.copyOf(ssrcs, 2 * count) : ssrcs;
                ssrcs[count++] = (int) stream.ssrc();
            }
        }
        Arrays.sort(ssrcs, 0, count);
        Set<Long> repeated = new HashSet<>();
        for (int i = 1; i < count; i++) {
            if (ssrcs[i] == ssrcs[i - 1]) {
                repeated.add(Integer.toUnsignedLong(ssrcs[i]));
            }
        }
        return repeated;
    }

    private static int byInvitation(Reported a, Reported b) {
        int byTime = Long.compare(a.call.invitedNs(), b.call.invitedNs());
        return byTime != 0 ? byTime : Long.compare(a.call.firstFrame(), b.call.firstFrame());
    }

    private static DialogFacts facts(Call call, CallReport report, long captureEndNs) {
        int status = call.finalStatus();
        boolean isRedirected = !call.isAnswered() && status / 100 == 3;
        long untilNs = call.isOver() && !isRedirected ? call.endedNs() : captureEndNs;
        DialogFacts.Course course = new DialogFacts.Course(
                call.invitedNs(),
                call.answeredNs(),
                call.byeNs(),
                untilNs,
                call.isOver() && !call.isAnswered() && status >= 400 ? status : 0,
                call.hungUpBy() == Side.CALLER);
        List<Endpoint> destinations = new ArrayList<>(1);
        for (CallReport.Leg leg : report.legs()) {
            destinations.add(leg.destination());
        }
        CallReport.Leg first = report.legs().getFirst();
        return new DialogFacts(
                call.callId(),
                call.firstFrame(),
                call.evidence(),
                course,
                DialogFacts.Users.of(
                        text(call.parties().fromUser()), text(call.parties().toUser())),
                new DialogFacts.Way(first.source(), first.destination(), destinations, offered(call)));
    }

    private static String text(@Nullable String user) {
        return user == null ? "" : user;
    }

    /** Where the caller's side offered to receive media. */
    private static List<Endpoint> offered(Call call) {
        List<Endpoint> offered = new ArrayList<>(1);
        for (MediaBinding binding : call.media().bindings()) {
            boolean isNew = binding.side() == Side.CALLER && !offered.contains(binding.endpoint());
            if (isNew && offered.size() < MOST_MEDIA) {
                offered.add(binding.endpoint());
            }
        }
        return offered;
    }

    /** Counts the dialogs that are calls of their own by a limit alone. */
    void countRefused(PlacedCount count) {
        for (int dialog : joined.refused()) {
            CallReport report = dialogs.get(dialog).report;
            count.add(report.firstFrame(), report.times().firstSeenNs());
        }
    }

    /** The reports of the calls that these dialogs are. */
    List<CallReport> calls() {
        Map<Integer, List<Integer>> legs = legs();
        List<CallReport> calls = new ArrayList<>(dialogs.size() + uninvited.size());
        uninvited.forEach(each -> calls.add(each.report));
        for (int i = 0; i < dialogs.size(); i++) {
            if (joined.root(i) != i) {
                continue;
            }
            boolean isPlain = !legs.containsKey(i) && joined.possible(i).isEmpty() && !relations.containsKey(callId(i));
            if (isPlain) {
                calls.add(dialogs.get(i).report);
            } else {
                List<Integer> members = new ArrayList<>(List.of(i));
                members.addAll(legs.getOrDefault(i, List.of()));
                calls.add(join(members));
            }
        }
        return calls;
    }

    /** The other dialogs of each first one that has some. */
    private Map<Integer, List<Integer>> legs() {
        Map<Integer, List<Integer>> legs = new HashMap<>();
        for (int i = 0; i < dialogs.size(); i++) {
            if (joined.root(i) != i) {
                legs.computeIfAbsent(joined.root(i), _ -> new ArrayList<>(1)).add(i);
            }
        }
        return legs;
    }

    private CallReport join(List<Integer> members) {
        CallReport root = dialogs.get(members.getFirst()).report;
        List<CallReport.PossibleJoin> possible = new ArrayList<>();
        for (int member : members) {
            for (JoinedDialogs.Link link : joined.possible(member)) {
                possible.add(new CallReport.PossibleJoin(callId(link.other()), link.score(), link.reasons()));
            }
        }
        CallReport.Joined dialogsOf =
                new CallReport.Joined(describe(members), relations(members), List.copyOf(possible));
        boolean isJoined = members.size() > 1;
        List<StreamReport> streams = isJoined ? streams(members) : root.streams();
        List<StreamPassage> passages = isJoined ? reporter.passages(streams) : root.passages();
        return new CallReport(
                root.callId(),
                root.parties(),
                root.result(),
                root.times(),
                signalling(members, dialogsOf),
                isJoined
                        ? new CallReport.Media(
                                root.codec(),
                                root.isEncrypted(),
                                streams,
                                root.holds(),
                                root.media().infoKeys(),
                                qualityReports(members),
                                passages)
                        : root.media(),
                isJoined
                        ? new CallReport.Diagnosis(problems(members, streams, passages), icmpErrors(members))
                        : root.diagnosis());
    }

    private String callId(int dialog) {
        return dialogs.get(dialog).report.callId();
    }

    private List<CallReport.Dialog> describe(List<Integer> members) {
        List<CallReport.Dialog> described = new ArrayList<>(members.size());
        for (int member : members) {
            CallReport report = dialogs.get(member).report;
            JoinedDialogs.Link link = joined.parent(member);
            described.add(new CallReport.Dialog(
                    report.callId(),
                    report.isCallIdPartial(),
                    link == null
                            ? CallReport.Role.ROOT
                            : isFork(members, link.other()) ? CallReport.Role.FORK : CallReport.Role.LEG,
                    link == null ? null : new CallReport.Join(callId(link.other()), link.score(), link.reasons()),
                    report.legs().getFirst(),
                    report.result(),
                    report.times()));
        }
        return List.copyOf(described);
    }

    /** What became of any of its dialogs, and where it rang at several places. */
    private List<CallReport.Relation> relations(List<Integer> members) {
        List<CallReport.Relation> all = new ArrayList<>();
        for (int member : members) {
            all.addAll(relations.getOrDefault(callId(member), List.of()));
            JoinedDialogs.Link link = joined.parent(member);
            if (link != null && isFork(members, link.other())) {
                all.add(new CallReport.Relation(
                        CallReport.Relation.Kind.FORKED_TO,
                        callId(member),
                        dialogs.get(member).call.invitedNs(),
                        "several legs of " + callId(link.other())));
                CallReport.Relation pickup = pickup(members, member, link.other());
                if (pickup != null && !all.contains(pickup)) {
                    all.add(pickup);
                }
            }
        }
        all.sort((a, b) -> Long.compare(a.atNs(), b.atNs()));
        return List.copyOf(all);
    }

    /** Which leg was answered where another one of the same dialog was called off because of it (RFC 3326). */
    private CallReport.@Nullable Relation pickup(List<Integer> members, int leg, int parent) {
        Call gone = dialogs.get(leg).call;
        if (gone.isAnswered() || !gone.end().isCompletedElsewhere()) {
            return null;
        }
        Call answered = null;
        for (int member : members) {
            JoinedDialogs.Link link = joined.parent(member);
            Call other = dialogs.get(member).call;
            if (link != null && link.other() == parent && other.isAnswered()) {
                if (answered != null) {
                    return null; // several were
                }
                answered = other;
            }
        }
        return answered == null
                ? null
                : new CallReport.Relation(
                        CallReport.Relation.Kind.PICKED_UP_BY,
                        answered.callId(),
                        answered.answeredNs(),
                        "the other leg ended with Reason cause=200");
    }

    /** Whether a dialog led to several. */
    private boolean isFork(List<Integer> members, int parent) {
        int children = 0;
        for (int member : members) {
            JoinedDialogs.Link link = joined.parent(member);
            children += link != null && link.other() == parent ? 1 : 0;
        }
        return children > 1;
    }

    private CallReport.Signalling signalling(List<Integer> members, CallReport.Joined dialogsOf) {
        CallReport root = dialogs.get(members.getFirst()).report;
        int messages = 0;
        int retransmissions = 0;
        int mirrored = 0;
        Set<CallReport.Leg> legs = new LinkedHashSet<>();
        List<Long> cutFrames = new ArrayList<>(0);
        for (int member : members) {
            CallReport report = dialogs.get(member).report;
            messages += report.counts().messages();
            retransmissions += report.counts().retransmissions();
            mirrored += report.counts().mirrored();
            legs.addAll(report.legs());
            cutFrames.addAll(report.cutFrames());
        }
        return new CallReport.Signalling(
                root.transport(),
                new CallReport.MessageCounts(messages, retransmissions, mirrored),
                List.copyOf(legs),
                root.firstFrame(),
                dialogsOf,
                root.signalling().headers(),
                List.copyOf(cutFrames));
    }

    /** The streams of all dialogs; one that several announce, as without a relay in between, is that of the first. */
    private List<StreamReport> streams(List<Integer> members) {
        Set<RtpStream> known = Collections.newSetFromMap(new IdentityHashMap<>());
        List<StreamReport> streams = new ArrayList<>();
        for (int member : members) {
            for (StreamReport stream : dialogs.get(member).report.streams()) {
                if (known.add(stream.statistics())) {
                    streams.add(stream);
                }
            }
        }
        streams.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return List.copyOf(streams);
    }

    private List<CallReport.QualityReport> qualityReports(List<Integer> members) {
        List<CallReport.QualityReport> reports = new ArrayList<>();
        for (int member : members) {
            reports.addAll(dialogs.get(member).report.qualityReports());
        }
        reports.sort((a, b) -> Long.compare(a.atNs(), b.atNs()));
        return List.copyOf(reports);
    }

    private List<IcmpEvent> icmpErrors(List<Integer> members) {
        List<IcmpEvent> errors = new ArrayList<>();
        for (int member : members) {
            errors.addAll(dialogs.get(member).report.icmpErrors());
        }
        errors.sort((a, b) -> Long.compare(a.frameNumber(), b.frameNumber()));
        return List.copyOf(errors);
    }

    private List<Problem> problems(List<Integer> members, List<StreamReport> streams, List<StreamPassage> passages) {
        CallReport root = dialogs.get(members.getFirst()).report;
        boolean isAnswered = switch (root.outcome()) {
            case ANSWERED, ONGOING -> true;
            default -> false;
        };
        List<Problem> problems = new ArrayList<>(root.problems());
        Set<Problem> known = new HashSet<>(problems);
        for (int member : members.subList(1, members.size())) {
            CallReport report = dialogs.get(member).report;
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
            addRelayLoss(problems, members, streams, passages);
        }
        problems.sort(CallProblems::byClassAndTime);
        return List.copyOf(problems);
    }

    /** What got lost on the way of all legs, in the place of what single legs show of it. */
    private void addRelayLoss(
            List<Problem> problems, List<Integer> members, List<StreamReport> streams, List<StreamPassage> passages) {
        List<CallReport.Hold> holds = new ArrayList<>();
        List<Call> answered = new ArrayList<>(members.size());
        for (int member : members) {
            Call call = dialogs.get(member).call;
            holds.addAll(dialogs.get(member).report.holds());
            if (call.isAnswered() && call.media().showsAudio()) {
                answered.add(call);
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
