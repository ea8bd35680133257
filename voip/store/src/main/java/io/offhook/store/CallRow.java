package io.offhook.store;

import io.offhook.calls.CallReport;
import io.offhook.packet.Endpoint;
import io.offhook.report.ProblemText;
import io.offhook.report.StreamFields;
import io.offhook.rtp.quality.Quality;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of calls.
 *
 * @param id identifies the call in all tables
 * @param source the capture it was found in
 * @param call what was found
 */
record CallRow(long id, String source, CallReport call) {
    static final Table<CallRow> TABLE = new Table<>(
            "calls",
            "A call: one dialog, or several that were joined as its legs.",
            new Table.Key("id", "first_seen_at"),
            List.of(
                    Column.whole(
                            "id",
                            "Identifies the call in all tables; made of Call-ID and `first_seen_at`.",
                            CallRow::id),
                    Column.text("source", "The file or the interfaces it was captured from.", CallRow::source),
                    text("call_id", "Call-ID; of a call of several, that of its first leg.", CallReport::callId),
                    text(
                            "from_user",
                            "User part of the From URI.",
                            call -> call.parties().from()),
                    text(
                            "to_user",
                            "User part of the To URI.",
                            call -> call.parties().to()),
                    text("from_uri", "The From URI.", call -> call.parties().fromUri()),
                    text("to_uri", "The To URI.", call -> call.parties().toUri()),
                    text(
                            "source_address",
                            "Sender of the INVITE on the first hop, with port.",
                            call -> first(call, true)),
                    text("destination_address", "Its receiver, with port.", call -> first(call, false)),
                    text(
                            "outcome",
                            "How it ended, or how far it got.",
                            call -> call.outcome().label()),
                    Column.count(
                            "final_status",
                            "Final response to the INVITE, 200 to 699.",
                            row -> positive(row.call.finalStatus())),
                    text(
                            "transport",
                            "Of its first message: `UDP`, `TCP`, `WS`, `SCTP`; opened with keys, `TLS`, `WSS`.",
                            call -> call.transport().name()),
                    time(
                            "first_seen_at",
                            "Its first message.",
                            call -> call.times().firstSeenNs()),
                    time("invited_at", "The first INVITE.", call -> call.times().invitedNs()),
                    time(
                            "progress_at",
                            "The first provisional response but 100.",
                            call -> call.times().progressNs()),
                    time("ringing_at", "The first 18x.", call -> call.times().ringingNs()),
                    time(
                            "answered_at",
                            "The first 2xx to the INVITE.",
                            call -> call.times().answeredNs()),
                    time(
                            "ended_at",
                            "The BYE, or the final response of a call that was not answered.",
                            call -> call.times().endedNs()),
                    Column.real(
                            "set_up_ms",
                            "From the INVITE to the first sign of progress, ms.",
                            row -> ms(row.call.times().setUpNs())),
                    Column.real(
                            "duration_ms",
                            "From the answer to the end, ms.",
                            row -> ms(row.call.times().durationNs())),
                    Column.flag(
                            "duration_approximate",
                            "Whether it begins with the ACK, as the answer was not captured.",
                            row -> row.call.times().isDurationApproximate()),
                    text(
                            "hung_up_by",
                            "`caller` or `callee`: who sent the BYE.",
                            call -> call.hungUpBy() == null
                                    ? null
                                    : call.hungUpBy().label()),
                    Column.count(
                            "dialogs",
                            "Dialogs, each with a Call-ID of its own.",
                            row -> row.call.dialogs().size()),
                    Column.count(
                            "messages",
                            "SIP messages captured, each copy counted.",
                            row -> row.call.counts().messages()),
                    Column.count(
                            "retransmissions",
                            "Of these, sent again.",
                            row -> row.call.counts().retransmissions()),
                    Column.count(
                            "mirrored",
                            "Of these, seen twice.",
                            row -> row.call.counts().mirrored()),
                    text("codec", "The agreed codec, by its SDP encoding name.", CallReport::codec),
                    Column.flag("encrypted", "Whether its media is SRTP.", row -> row.call.isEncrypted()),
                    Column.count(
                            "streams", "RTP streams.", row -> row.call.streams().size()),
                    Column.real(
                            "worst_mos",
                            "The lowest MOS of its streams as they were played, 1 to 5.",
                            row -> row.worst() == null
                                    ? Double.NaN
                                    : row.worst().mos()),
                    Column.text(
                            "worst_mos_scale",
                            "Its scale: `narrowband`, `wideband`, `fullband`.",
                            row -> row.worst() == null
                                    ? null
                                    : row.worst().scale().label()),
                    Column.flag(
                            "bad",
                            "Whether the service failed: a problem is of class `service`.",
                            row -> row.call.isBad()),
                    text(
                            "verdict",
                            "What was wrong, in words, but for notes; empty if nothing was.",
                            call -> String.join("; ", ProblemText.of(call))),
                    text(
                            "caller_software",
                            "User-Agent of the caller.",
                            call -> call.headers().callerSoftware()),
                    text(
                            "callee_software",
                            "Server or User-Agent of the callee.",
                            call -> call.headers().calleeSoftware()),
                    text(
                            "asserted_identity",
                            "The first P-Asserted-Identity.",
                            call -> call.headers().assertedIdentity()),
                    text(
                            "diversion",
                            "Who diverted it last.",
                            call -> call.headers().diversion()),
                    text(
                            "history_info",
                            "Whom it was for at first.",
                            call -> call.headers().historyInfo()),
                    text(
                            "reason",
                            "The first Reason header of its end.",
                            call -> call.headers().reason().text()),
                    Column.count(
                            "q850_cause",
                            "Its cause of Q.850, 0 to 127.",
                            row -> notNegative(row.call.headers().reason().q850Cause())),
                    Column.count(
                            "sip_cause",
                            "Its SIP status, 200 to 699.",
                            row -> notNegative(row.call.headers().reason().sipCause())),
                    Column.whole("first_frame", "Number of its first packet, from 1.", row -> row.call.firstFrame())));

    long firstSeenNs() {
        return call.times().firstSeenNs();
    }

    private static Column<CallRow> text(String name, String meaning, Function<CallReport, @Nullable String> value) {
        return Column.text(name, meaning, row -> value.apply(row.call));
    }

    private static Column<CallRow> time(String name, String meaning, ToLongFunction<CallReport> value) {
        return Column.time(name, meaning, row -> value.applyAsLong(row.call));
    }

    private @Nullable Quality worst() {
        return StreamFields.worstQuality(call);
    }

    private static @Nullable String first(CallReport call, boolean isSource) {
        CallReport.Leg hop = call.dialogs().getFirst().hop();
        if (hop == null) {
            return null;
        }
        Endpoint endpoint = isSource ? hop.source() : hop.destination();
        return endpoint.toString();
    }

    private static double ms(long ns) {
        return ns == CallReport.NEVER ? Double.NaN : ns / 1e6;
    }

    private static long positive(long value) {
        return value > 0 ? value : Column.NONE;
    }

    private static long notNegative(long value) {
        return value >= 0 ? value : Column.NONE;
    }
}
