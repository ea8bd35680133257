package io.offhook.calls;

import io.offhook.calls.join.DialogFacts;
import io.offhook.calls.join.DialogJoiner;
import io.offhook.calls.join.JoinedDialogs;
import io.offhook.calls.relay.SharedMedia;
import io.offhook.packet.PlacedCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes one report of the dialogs that are legs of one call; in the middle of a capture, each keeps its own, which names the
 * others, unless the watch wants them joined. {@link JoinFacts} has what dialogs are compared by, {@link DialogJoiner} decides, {@link JoinedReport} is the one
 * report. What it says of the dialogs is put together here: who led to whom, forks, transfers and pickups.
 */
final class CallJoins {
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
        return of(reports, captureEndNs, reporter, _ -> true);
    }

    /**
     * The reports of dialogs in the middle of a capture, each with all dialogs of its call, or all of a call in one. Media
     * is not compared while streams go on: a pair may fit now and not a moment later. Where a call is one report, it is once
     * they are over.
     *
     * @param reports of each Call-ID that is not settled
     * @param watch is told of each
     */
    static List<Reported> standing(List<Reported> reports, long nowNs, StreamReporter reporter, CallWatch watch) {
        CallJoins joins = of(reports, nowNs, reporter, call -> watch.joinsLegs() && call.isOver());
        List<Reported> standing = new ArrayList<>(joins.uninvited);
        joins.uninvited.forEach(each -> watch.reported(each, List.of(each.call)));
        Map<Integer, List<Integer>> legs = joins.legs();
        Map<String, List<Call>> related = joins.related();
        Map<Integer, CallReport> whole = new HashMap<>();
        for (int i = 0; i < joins.dialogs.size(); i++) {
            int root = joins.joined.root(i);
            List<Integer> members = new ArrayList<>(List.of(root));
            members.addAll(legs.getOrDefault(root, List.of()));
            List<Call> group = new ArrayList<>(members.size());
            for (int member : members) {
                group.add(joins.dialogs.get(member).call);
                group.addAll(related.getOrDefault(joins.callId(member), List.of()));
            }
            boolean isJoined = watch.joinsLegs() && members.size() > 1;
            if (isJoined && i == root) { // by invitation, it comes before its legs
                whole.put(root, joins.join(members));
            }
            Reported own = joins.dialogs.get(i);
            Reported each = isJoined
                    ? new Reported(own.call, whole.getOrDefault(root, own.report))
                    : joins.standing(i, members);
            watch.reported(each, group);
            if (!isJoined || i == root) {
                standing.add(each);
            }
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
        CallReport.Joined dialogsOf = new CallReport.Joined(describe(members), related, List.of());
        return new Reported(own.call, JoinedReport.naming(dialogsOf, own.report));
    }

    private static CallJoins of(
            List<Reported> reports, long captureEndNs, StreamReporter reporter, Predicate<Call> comparesMedia) {
        List<Reported> dialogs = new ArrayList<>(reports.size());
        List<Reported> uninvited = new ArrayList<>();
        for (Reported each : reports) {
            boolean isInvited =
                    each.call.invitedNs() != Call.NEVER && !each.report.legs().isEmpty();
            (isInvited ? dialogs : uninvited).add(each);
        }
        dialogs.sort(CallJoins::byInvitation);
        List<DialogFacts> facts = JoinFacts.of(dialogs, captureEndNs);
        SharedMedia media = JoinFacts.media(dialogs, facts, reporter, comparesMedia);
        return new CallJoins(dialogs, uninvited, DialogJoiner.join(facts, media), reporter);
    }

    private static int byInvitation(Reported a, Reported b) {
        int byTime = Long.compare(a.call.invitedNs(), b.call.invitedNs());
        return byTime != 0 ? byTime : Long.compare(a.call.firstFrame(), b.call.firstFrame());
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
        List<CallReport.PossibleJoin> possible = new ArrayList<>();
        for (int member : members) {
            for (JoinedDialogs.Link link : joined.possible(member)) {
                possible.add(new CallReport.PossibleJoin(callId(link.other()), link.score(), link.reasons()));
            }
        }
        CallReport.Joined dialogsOf =
                new CallReport.Joined(describe(members), relations(members), List.copyOf(possible));
        if (members.size() == 1) {
            return JoinedReport.naming(dialogsOf, dialogs.get(members.getFirst()).report);
        }
        List<Reported> all = new ArrayList<>(members.size());
        for (int member : members) {
            all.add(dialogs.get(member));
        }
        return JoinedReport.of(all, dialogsOf, reporter);
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
}
