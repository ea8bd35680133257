package io.offhook.store;

import io.offhook.calls.CallReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of dialogs.
 *
 * @param call the call's id
 * @param callNs when the call was first seen
 */
record DialogRow(long call, long callNs, CallReport.Dialog dialog) {
    static final Table<DialogRow> TABLE = new Table<>(
            "dialogs",
            "A leg of a call: everything with one Call-ID. By it, messages are found.",
            new Table.Key("call", "call_at"),
            List.of(
                    Column.whole("call", "`id` of the call.", DialogRow::call),
                    Column.text("call_id", "Its Call-ID.", row -> row.dialog.callId()),
                    Column.flag(
                            "call_id_partial",
                            "Whether the snap length cut the Call-ID off.",
                            row -> row.dialog.isCallIdPartial()),
                    Column.text(
                            "role",
                            "`root`, `leg` or `fork`.",
                            row -> row.dialog.role().label()),
                    Column.text(
                            "parent_call_id",
                            "The leg that led to it; NULL for the root.",
                            row -> row.dialog.join() == null
                                    ? null
                                    : row.dialog.join().parentCallId()),
                    Column.text(
                            "joined_by",
                            "What speaks for it, with weights.",
                            row -> row.dialog.join() == null
                                    ? null
                                    : String.join("; ", row.dialog.join().reasons())),
                    Column.text(
                            "source_address",
                            "Sender of the INVITE on the first hop, with port.",
                            row -> row.hop(true)),
                    Column.text("destination_address", "Its receiver, with port.", row -> row.hop(false)),
                    Column.text(
                            "outcome",
                            "How it ended, or how far it got.",
                            row -> row.dialog.result().outcome().label()),
                    Column.count(
                            "final_status",
                            "Final response to the INVITE, 200 to 699.",
                            row -> row.dialog.result().finalStatus() > 0
                                    ? row.dialog.result().finalStatus()
                                    : Column.NONE),
                    Column.time(
                            "first_seen_at",
                            "Its first message.",
                            row -> row.dialog.times().firstSeenNs()),
                    Column.time(
                            "answered_at",
                            "The first 2xx to the INVITE.",
                            row -> row.dialog.times().answeredNs()),
                    Column.time(
                            "ended_at",
                            "The BYE, or the final response if it was not answered.",
                            row -> row.dialog.times().endedNs()),
                    Column.time("call_at", "`first_seen_at` of the call.", DialogRow::callNs)));

    private @Nullable String hop(boolean isSource) {
        CallReport.Leg hop = dialog.hop();
        return hop == null ? null : (isSource ? hop.source() : hop.destination()).toString();
    }
}
