package io.offhook.calls;

import io.offhook.calls.join.TransferEvidence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what became of calls: transfers by REFER (RFC 3515), calls that took another one's place by Replaces (RFC 3891).
 * They say how calls follow each other, and never change an outcome.
 */
final class CallRelations {
    /** As long as an INVITE may go without a response: 64 * T1. */
    private static final long TRANSFER_NS = 32_000_000_000L;

    private final Map<String, Call> byCallId = new HashMap<>();
    /** Calls by the Call-ID that they replace. */
    private final Map<String, Call> byReplaced = new HashMap<>();

    private final Map<String, List<Call>> byUser = new HashMap<>();
    private final Map<String, List<CallReport.Relation>> relations = new HashMap<>();

    private CallRelations() {}

    /** The relations of each Call-ID that has any. */
    static Map<String, List<CallReport.Relation>> of(List<CallJoins.Reported> dialogs) {
        CallRelations found = new CallRelations();
        boolean any = false;
        for (CallJoins.Reported each : dialogs) {
            any |= each.call().transferEvidence() != null;
        }
        if (any) {
            found.find(dialogs);
        }
        return found.relations;
    }

    private void find(List<CallJoins.Reported> dialogs) {
        for (CallJoins.Reported each : dialogs) {
            byCallId.put(each.call().callId(), each.call());
            TransferEvidence evidence = each.call().transferEvidence();
            TransferEvidence.Replaces replaces = evidence == null ? null : evidence.replaces();
            if (replaces != null) {
                byReplaced.putIfAbsent(replaces.callId(), each.call());
            }
            String user = each.call().parties().toUser();
            if (user != null && !user.isEmpty()) {
                byUser.computeIfAbsent(user, _ -> new ArrayList<>(1)).add(each.call());
            }
        }
        byUser.values().forEach(calls -> calls.sort((a, b) -> Long.compare(a.invitedNs(), b.invitedNs())));
        for (CallJoins.Reported each : dialogs) {
            TransferEvidence evidence = each.call().transferEvidence();
            if (evidence != null) {
                replaced(each.call(), evidence.replaces());
                for (TransferEvidence.Referral referral : evidence.referrals()) {
                    transferred(each.call(), referral);
                }
            }
        }
        relations.values().forEach(list -> list.sort((a, b) -> Long.compare(a.atNs(), b.atNs())));
    }

    /** @param replaces the dialog whose place the call takes */
    private void replaced(Call by, TransferEvidence.@Nullable Replaces replaces) {
        if (replaces == null) {
            return;
        }
        Call gone = byCallId.get(replaces.callId());
        if (gone == null || gone == by || !gone.hasDialog(replaces.toTag(), replaces.fromTag())) {
            return;
        }
        boolean wasEarly = gone.answeredNs() == Call.NEVER || gone.answeredNs() > by.invitedNs();
        add(
                gone,
                replaces.isEarlyOnly() || wasEarly
                        ? CallReport.Relation.Kind.PICKED_UP_BY
                        : CallReport.Relation.Kind.REPLACED_BY,
                by,
                by.invitedNs(),
                replaces.isEarlyOnly() || wasEarly ? "INVITE with Replaces while it rang" : "INVITE with Replaces");
    }

    private void transferred(Call call, TransferEvidence.Referral referral) {
        if (!referral.isAccepted()) {
            return;
        }
        TransferEvidence.Replaces replaces = referral.replaces();
        if (replaces != null) {
            attended(call, referral, replaces);
            return;
        }
        for (Call next : byUser.getOrDefault(referral.user(), List.of())) {
            long afterNs = next.invitedNs() - referral.sentNs();
            boolean isReferees = next != call
                    && next.invitedNs() != Call.NEVER
                    && afterNs >= 0
                    && afterNs <= TRANSFER_NS
                    && referral.isReferee(next.firstSource());
            String proof = isReferees ? proof(referral, next) : null;
            if (proof != null) {
                add(call, CallReport.Relation.Kind.TRANSFERRED_TO, next, referral.sentNs(), proof);
                return;
            }
        }
    }

    private static @Nullable String proof(TransferEvidence.Referral referral, Call next) {
        TransferEvidence evidence = next.transferEvidence();
        if (evidence != null && evidence.isReferred()) {
            return "REFER, then INVITE with Referred-By";
        }
        boolean matches = referral.reported() != 0 && referral.reported() == next.finalStatus();
        return matches ? "REFER, then INVITE with the status that NOTIFY reports" : null;
    }

    /** After a consultation: the other side calls the one consulted, in the place of the consultation. */
    private void attended(Call call, TransferEvidence.Referral referral, TransferEvidence.Replaces replaces) {
        Call next = byReplaced.getOrDefault(replaces.callId(), byCallId.get(replaces.callId()));
        if (next != null && next != call) {
            add(call, CallReport.Relation.Kind.TRANSFERRED_TO, next, referral.sentNs(), "REFER with Replaces");
        }
    }

    private void add(Call call, CallReport.Relation.Kind kind, Call other, long atNs, String proof) {
        relations
                .computeIfAbsent(call.callId(), _ -> new ArrayList<>(1))
                .add(new CallReport.Relation(kind, other.callId(), atNs, proof));
    }
}
