package io.offhook.web.api;

import io.offhook.report.fields.JsonFields;
import io.offhook.web.data.CallReader;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A call whose document is gone, as retention deletes it before the call: what the tables still have, under the names that the
 * document has, with empty lists for the rest, and {@code gone}, which says what that is.
 */
final class CallTables {
    private static final String GONE_DOCUMENT =
            "the whole report of this call: key presses, holds, reports of the phones, what its MOS was computed from";
    private static final String GONE_TEXTS = "the texts of its messages";

    /** Lists of the document that no table has. */
    private static final List<String> EMPTY =
            List.of("holds", "icmpErrors", "keys", "qualityReports", "relations", "possibleJoins", "passages");

    private static final List<Field> MORE = List.of(
            Field.time("invitedAt", "invited_at"),
            Field.time("progressAt", "progress_at"),
            Field.flag("durationApproximate", "duration_approximate"),
            Field.whole("retransmissions", "retransmissions"),
            Field.whole("mirrored", "mirrored"),
            Field.whole("firstFrame", "first_frame"),
            Field.text("assertedIdentity", "asserted_identity"),
            Field.text("diversion", "diversion"),
            Field.text("historyInfo", "history_info"),
            Field.text("reason", "reason"),
            Field.whole("q850Cause", "q850_cause"),
            Field.whole("sipCause", "sip_cause"));

    private static final List<Field> PROBLEM = List.of(
            Field.text("kind", "kind"),
            Field.text("class", "class"),
            Field.text("side", "side"),
            Field.time("at", "began_at"),
            Field.real("seconds", "seconds"),
            Field.real("percent", "percent"),
            Field.whole("count", "count"),
            Field.whole("status", "status"),
            Field.real("value", "value"),
            Field.text("text", "text"));

    private static final List<Field> DIALOG = List.of(
            Field.text("callId", "call_id"),
            Field.text("parentCallId", "parent_call_id"),
            Field.text("role", "role"),
            Field.text("source", "source_address"),
            Field.text("destination", "destination_address"),
            Field.text("outcome", "outcome"),
            Field.whole("finalStatus", "final_status"),
            Field.time("answeredAt", "answered_at"),
            Field.time("endedAt", "ended_at"));

    private static final List<Field> LEG =
            List.of(Field.text("source", "source_address"), Field.text("destination", "destination_address"));

    private static final List<Field> STREAM = List.of(
            Field.text("callId", "call_id"),
            Field.text("ssrc", "ssrc"),
            Field.text("direction", "direction"),
            Field.text("source", "source"),
            Field.text("destination", "destination"),
            Field.text("mediaType", "media_type"),
            Field.text("codec", "codec"),
            Field.whole("clockRate", "clock_rate"),
            Field.whole("payloadType", "payload_type"),
            Field.flag("encrypted", "encrypted"),
            Field.time("firstAt", "first_at"),
            Field.time("lastAt", "last_at"),
            Field.whole("packets", "packets"),
            Field.whole("payloadBytes", "payload_bytes"),
            Field.whole("expected", "expected"),
            Field.whole("lost", "lost"),
            Field.real("lostPercent", "lost_percent"),
            Field.whole("duplicates", "duplicates"),
            Field.whole("reordered", "reordered"),
            Field.whole("late", "late"),
            Field.real("burstRatio", "burst_ratio"),
            Field.real("meanJitterMs", "mean_jitter_ms"),
            Field.real("maxJitterMs", "max_jitter_ms"),
            Field.real("maxDeltaMs", "max_delta_ms"),
            Field.real("mos", "mos"),
            Field.text("mosScale", "mos_scale"),
            Field.real("minMos", "min_mos"));

    private static final List<Field> BURSTS =
            List.of(Field.whole("count", "loss_bursts"), Field.whole("longest", "longest_burst"));

    private static final List<Field> INTERVAL = List.of(
            Field.time("at", "began_at"),
            Field.real("durationMs", "duration_ms"),
            Field.whole("expected", "expected"),
            Field.whole("lost", "lost"),
            Field.whole("discarded", "discarded"),
            Field.real("lossPercent", "loss_percent"),
            Field.real("burstRatio", "burst_ratio"),
            Field.whole("packets", "packets"),
            Field.whole("reordered", "reordered"),
            Field.real("meanJitterMs", "mean_jitter_ms"),
            Field.real("maxJitterMs", "max_jitter_ms"),
            Field.real("maxDeltaMs", "max_delta_ms"),
            Field.real("mos", "mos"),
            Field.text("mosScale", "mos_scale"));

    private static final List<Field> FAR_END =
            List.of(Field.real("lostPercent", "far_end_lost_percent"), Field.real("jitterMs", "far_end_jitter_ms"));

    private final CallReader reader;
    private final long id;
    private final JsonFields out;

    private CallTables(CallReader reader, long id, JsonFields out) {
        this.reader = reader;
        this.id = id;
        this.out = out;
    }

    /**
     * What the tables have of a call.
     *
     * @param summary the fields of the list
     * @return no bytes if there is no such call
     */
    static byte[] document(CallReader reader, long id, List<Field> summary) throws SQLException {
        List<Field> fields = new ArrayList<>(summary);
        fields.removeIf(field -> field.name().equals("streams")); // a number in the list
        fields.addAll(MORE);
        PreparedStatement statement = reader.statement("SELECT " + Field.select(fields) + " FROM calls WHERE id = ?");
        statement.setLong(1, id);
        try (ResultSet row = statement.executeQuery();
                JsonBuffer json = new JsonBuffer()) {
            if (!row.next()) {
                return new byte[0];
            }
            Field.write(fields, row, json.out());
            json.out().field("running", reader.running().contains(id));
            new CallTables(reader, id, json.out()).lists();
            return json.end();
        }
    }

    /** Writes all lists; the last one is left open, as the buffer ends a list and its document. */
    private void lists() throws SQLException {
        rows("problems", PROBLEM, "FROM problems WHERE call = ?");
        rows("dialogs", DIALOG, "FROM dialogs WHERE call = ? ORDER BY first_seen_at");
        rows("legs", LEG, "FROM dialogs WHERE call = ? AND source_address IS NOT NULL ORDER BY first_seen_at");
        for (String name : EMPTY) {
            out.array(name).end();
        }
        streams();
        out.array("gone").element(GONE_DOCUMENT);
        if (areTextsGone()) {
            out.element(GONE_TEXTS);
        }
    }

    private void rows(String name, List<Field> fields, String from) throws SQLException {
        out.array(name);
        PreparedStatement statement = reader.statement("SELECT " + Field.select(fields) + ' ' + from);
        statement.setLong(1, id);
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                out.object();
                Field.write(fields, row, out);
                out.end();
            }
        }

        out.end();
    }

    private void streams() throws SQLException {
        out.array("streams");
        String sql = "SELECT id, " + Field.select(STREAM) + ", " + Field.select(BURSTS)
                + " FROM streams WHERE call = ? ORDER BY first_at";
        PreparedStatement statement = reader.statement(sql);
        statement.setLong(1, id);
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                out.object();
                write(STREAM, row, 2);
                out.object("lossBursts");
                write(BURSTS, row, 2 + STREAM.size());
                out.field("meanLength", Double.NaN, 1).end();
                out.array("payloads").end();
                out.nullField("digits")
                        .nullField("mosInputs")
                        .nullField("playout")
                        .nullField("farEnd");
                out.field("mosMissing", "what it was computed from is gone").field("playoutMissing", "gone");
                intervals(row.getLong(1));
                out.end();
            }
        }

        out.end();
    }

    private void write(List<Field> fields, ResultSet row, int column) throws SQLException {
        for (int i = 0; i < fields.size(); i++) {
            fields.get(i).write(row, column + i, out);
        }
    }

    private void intervals(long stream) throws SQLException {
        out.array("intervals");
        String sql = "SELECT " + Field.select(INTERVAL) + ", " + Field.select(FAR_END)
                + " FROM stream_intervals WHERE call = ? AND stream = ? ORDER BY began_at";
        PreparedStatement statement = reader.statement(sql);
        statement.setLong(1, id);
        statement.setLong(2, stream);
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                out.object();
                write(INTERVAL, row, 1);
                if (row.getObject(INTERVAL.size() + 1) == null && row.getObject(INTERVAL.size() + 2) == null) {
                    out.nullField("farEnd");
                } else {
                    out.object("farEnd");
                    write(FAR_END, row, INTERVAL.size() + 1);
                    out.end();
                }
                out.end();
            }
        }

        out.end();
    }

    /** Whether there are messages, and the text of one is missing. */
    private boolean areTextsGone() throws SQLException {
        PreparedStatement statement = reader.statement(
                "SELECT count(*) FROM messages LEFT JOIN message_texts ON message_texts.id = messages.id"
                        + " WHERE call_id IN (SELECT call_id FROM dialogs WHERE call = ?) AND message_texts.id IS NULL");
        statement.setLong(1, id);
        try (ResultSet row = statement.executeQuery()) {
            return row.next() && row.getLong(1) > 0;
        }
    }
}
