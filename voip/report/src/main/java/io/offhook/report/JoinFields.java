package io.offhook.report;

import io.offhook.calls.CallReport;
import io.offhook.calls.relay.SegmentFigures;
import io.offhook.calls.relay.StreamPassage;
import io.offhook.calls.relay.StreamPoint;
import io.offhook.report.fields.FieldWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a call's dialogs, of its relations to other calls and of the way of its media through relays, as docs/OUTPUT.md lists them. */
final class JoinFields {
    private JoinFields() {}

    static void writeJson(FieldWriter out, CallReport call) {
        out.array("dialogs");
        for (CallReport.Dialog dialog : call.dialogs()) {
            out.object();
            dialog(out, dialog);
            out.end();
        }
        out.end().array("relations");
        for (CallReport.Relation relation : call.joined().relations()) {
            out.object()
                    .field("kind", relation.kind().label())
                    .field("callId", relation.callId())
                    .time("at", relation.atNs())
                    .field("proof", relation.proof())
                    .end();
        }
        out.end().array("possibleJoins");
        for (CallReport.PossibleJoin possible : call.joined().possibleJoins()) {
            out.object().field("callId", possible.callId()).field("score", possible.score());
            reasons(out, possible.reasons());
            out.end();
        }
        out.end();
    }

    /** Writes the ways of streams from one point of capture to the next. */
    static void writePassages(FieldWriter out, CallReport call) {
        out.array("passages");
        for (StreamPassage passage : call.passages()) {
            out.object()
                    .field("direction", passage.from().isFromCaller() ? "from caller" : "from callee")
                    .field("level", passage.level().label())
                    .field("ssrc", StreamFields.ssrc(passage.from().ssrc()));
            point(out, "from", passage.from());
            point(out, "to", passage.to());
            out.field("present", passage.present())
                    .field("lost", passage.lost())
                    .field("lossPercent", passage.lossPercent(), 4)
                    .field("lostBefore", passage.lostBefore())
                    .field("extra", passage.extra())
                    .field("stripped", passage.stripped())
                    .field("addedJitterMs", passage.addedJitterMs(), 6);
            delay(out, passage.figures());
            out.field("trusted", passage.isTrusted()).end();
        }
        out.end();
    }

    private static void delay(FieldWriter out, @Nullable SegmentFigures figures) {
        if (figures == null) {
            out.nullField("delayMs").nullField("delaySpreadMs");
            return;
        }
        out.object("delayMs")
                .field("median", figures.delay().medianMs(), 6)
                .field("p95", figures.delay().p95Ms(), 6)
                .field("max", figures.delay().maxMs(), 6)
                .end()
                .field("delaySpreadMs", figures.delay().spreadMs(), 6);
    }

    private static void point(FieldWriter out, String name, StreamPoint point) {
        out.object(name)
                .field("source", point.source().toString())
                .field("destination", point.destination().toString())
                .field("ssrc", StreamFields.ssrc(point.ssrc()))
                .end();
    }

    private static void dialog(FieldWriter out, CallReport.Dialog dialog) {
        CallReport.Join join = dialog.join();
        CallReport.Leg hop = dialog.hop();
        out.field("callId", dialog.callId())
                .field("parentCallId", join == null ? null : join.parentCallId())
                .field("role", dialog.role().label());
        if (join == null) {
            out.nullField("score");
        } else {
            out.field("score", join.score());
        }
        reasons(out, join == null ? List.of() : join.reasons());
        out.field("source", hop == null ? null : hop.source().toString())
                .field("destination", hop == null ? null : hop.destination().toString())
                .field("outcome", dialog.result().outcome().label());
        if (dialog.result().finalStatus() == 0) {
            out.nullField("finalStatus");
        } else {
            out.field("finalStatus", dialog.result().finalStatus());
        }
        out.time("invitedAt", dialog.times().invitedNs())
                .time("answeredAt", dialog.times().answeredNs())
                .time("endedAt", dialog.times().endedNs());
    }

    private static void reasons(FieldWriter out, List<String> reasons) {
        out.array("reasons");
        reasons.forEach(out::element);
        out.end();
    }

    /** Writes the Call-IDs alone: a cell has no room for more. */
    static void writeCsv(FieldWriter out, CallReport call) {
        out.array("dialogs");
        call.dialogs().forEach(dialog -> out.element(dialog.callId()));
        out.end().array("relations");
        for (CallReport.Relation relation : call.joined().relations()) {
            out.element(relation.kind().label() + " " + relation.callId());
        }
        out.end().array("possibleJoins");
        call.joined().possibleJoins().forEach(possible -> out.element(possible.callId()));
        out.end();
    }
}
