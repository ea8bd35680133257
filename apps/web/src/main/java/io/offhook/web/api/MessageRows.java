package io.offhook.web.api;

import io.offhook.report.fields.JsonFields;
import io.offhook.web.data.CallReader;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/** The messages of a call, in the order of capture, as {@code offhook messages} has them, with their text. */
final class MessageRows {
    /** So many of one call are sent; a call that has more is a fault, which the first ones show. */
    private static final int MOST = 5000;

    private static final List<Field> FIELDS = List.of(
            Field.whole("frame", "messages.frame_number"),
            Field.time("time", "messages.captured_at"),
            Field.text("source", "source_address"),
            Field.text("destination", "destination_address"),
            Field.text("transport", "transport"),
            Field.text("copy", "copy"),
            Field.text("method", "method"),
            Field.whole("statusCode", "status"),
            Field.text("reasonPhrase", "reason_phrase"),
            Field.text("requestUri", "request_uri"),
            Field.whole("cseqNumber", "cseq_number"),
            Field.text("cseqMethod", "cseq_method"),
            Field.text("callId", "call_id"),
            Field.text("from", "from_user"),
            Field.text("to", "to_user"),
            Field.text("fromUri", "from_uri"),
            Field.text("toUri", "to_uri"),
            Field.text("userAgent", "user_agent"),
            Field.text("reason", "reason"),
            Field.text("contentType", "content_type"),
            Field.whole("length", "messages.length"),
            Field.text("text", "message_texts.text"));

    private MessageRows() {}

    /** The document of all messages with these Call-IDs. */
    static byte[] document(CallReader reader, List<String> callIds) throws SQLException {
        String marks = String.join(", ", Collections.nCopies(callIds.size(), "?"));
        String sql = "SELECT " + Field.select(FIELDS)
                + " FROM messages LEFT JOIN message_texts ON message_texts.id = messages.id WHERE call_id IN (" + marks
                + ") ORDER BY messages.captured_at, messages.frame_number LIMIT " + MOST;
        PreparedStatement statement = reader.statement(sql);
        for (int i = 0; i < callIds.size(); i++) {
            statement.setString(i + 1, callIds.get(i));
        }
        try (ResultSet result = statement.executeQuery();
                JsonBuffer json = new JsonBuffer()) {
            JsonFields out = json.out();
            out.array("messages");
            while (result.next()) {
                out.object();
                Field.write(FIELDS, result, out);
                out.end();
            }
            return json.end();
        }
    }
}
