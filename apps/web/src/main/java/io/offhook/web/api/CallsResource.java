package io.offhook.web.api;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.offhook.report.fields.JsonFields;
import io.offhook.web.data.CallData;
import io.offhook.web.data.CallReader;
import io.offhook.web.data.CapturePoints;
import io.offhook.web.data.ReadConnections;
import io.offhook.web.http.BadRequestException;
import io.offhook.web.http.JsonReply;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/** Calls: the list, one call, its messages, its packets. */
final class CallsResource implements HttpService {
    private static final int MOST_CALLS = 1000;
    private static final int MOST_OFFSET = 100_000_000;
    private static final int STANDARD_CALLS = 100;

    /** As the database has them, behind which comes what {@code offhook calls} says of a call. */
    private static final String WHOLE = "calls.id, calls.source, call_documents.document";

    /** What the list shows of a call. */
    private static final List<Field> SUMMARY = List.of(
            Field.id("id", "id"),
            Field.text("callId", "call_id"),
            Field.text("from", "from_user"),
            Field.text("to", "to_user"),
            Field.text("fromUri", "from_uri"),
            Field.text("toUri", "to_uri"),
            Field.text("source", "source_address"),
            Field.text("destination", "destination_address"),
            Field.text("outcome", "outcome"),
            Field.whole("finalStatus", "final_status"),
            Field.text("transport", "transport"),
            Field.time("firstSeenAt", "first_seen_at"),
            Field.time("ringingAt", "ringing_at"),
            Field.time("answeredAt", "answered_at"),
            Field.time("endedAt", "ended_at"),
            Field.real("setUpMs", "set_up_ms"),
            Field.real("durationMs", "duration_ms"),
            Field.text("hungUpBy", "hung_up_by"),
            Field.whole("messages", "messages"),
            Field.text("codec", "codec"),
            Field.flag("encrypted", "encrypted"),
            Field.whole("streams", "streams"),
            Field.real("worstMos", "worst_mos"),
            Field.text("worstMosScale", "worst_mos_scale"),
            Field.flag("bad", "bad"),
            Field.text("verdict", "verdict"),
            Field.text("callerSoftware", "caller_software"),
            Field.text("calleeSoftware", "callee_software"),
            Field.text("origin", "calls.source"));

    /** Of the columns of {@link #SUMMARY}, in front of them. Whether a call goes on is found by it here: in SQL it would cost a join. */
    private static final String ID = "id, ";

    private final DataSets data;
    private final AudioResource audio;
    private final KeysResource keys;

    CallsResource(DataSets data, AudioResource audio, KeysResource keys) {
        this.data = data;
        this.audio = audio;
        this.keys = keys;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/", this::list)
                .get("/{id}", this::one)
                .get("/{id}/messages", this::messages)
                .get("/{id}/packets", this::packets)
                .get("/{id}/points", this::points)
                .post("/{id}/keys", keys::add);
        audio.routing(rules);
    }

    private void list(ServerRequest request, ServerResponse response) throws SQLException {
        Parameters parameters = new Parameters(request);
        Condition condition = CallFilters.ofCalls(parameters);
        int limit = parameters.number("limit", STANDARD_CALLS, 1, MOST_CALLS);
        int offset = parameters.number("offset", 0, 0, MOST_OFFSET);
        String order = CallFilters.order(parameters.text("sort"), SUMMARY, "-firstSeenAt", "id");
        boolean isSummary = "summary".equals(parameters.text("fields"));
        long revision = data.of(request).data().revision();
        String limits = ListResource.limits(limit, offset);
        JsonReply.sendDocument(response, data.answer(request, reader -> {
            long total = count(reader, "calls", condition);
            return isSummary
                    ? summaries(
                            reader,
                            condition,
                            ListResource.page(reader, "calls", condition, order, limits),
                            new Head(total, offset, revision))
                    : documents(
                            reader,
                            condition,
                            ListResource.pageByIds("calls", condition, order, limits),
                            new Head(total, offset, revision));
        }));
    }

    /** How many rows of a table fulfil a condition. */
    static long count(CallReader reader, String table, Condition condition) throws SQLException {
        PreparedStatement statement = reader.statement("SELECT count(*) FROM " + table + condition.where());
        condition.set(statement, 1);
        try (ResultSet result = statement.executeQuery()) {
            return result.next() ? result.getLong(1) : 0;
        }
    }

    /** What stands before the calls. */
    private record Head(long total, int offset, long revision) {}

    private static byte[] summaries(CallReader reader, Condition condition, String rows, Head head)
            throws SQLException {
        Set<Long> running = reader.running();
        PreparedStatement statement = reader.statement("SELECT " + ID + Field.select(SUMMARY) + " FROM calls" + rows);
        condition.set(statement, 1);
        try (ResultSet result = statement.executeQuery();
                JsonBuffer json = new JsonBuffer()) {
            JsonFields out = json.out();
            out.field("total", head.total())
                    .field("offset", head.offset())
                    .field("revision", head.revision())
                    .array("calls");
            while (result.next()) {
                out.object();
                for (int i = 0; i < SUMMARY.size(); i++) {
                    SUMMARY.get(i).write(result, i + 2, out);
                }
                out.field("running", running.contains(result.getLong(1)));
                out.end();
            }
            return json.end();
        }
    }

    /** The whole calls: what was stored of each as {@code offhook calls} has it. */
    private static byte[] documents(CallReader reader, Condition condition, String rows, Head head)
            throws SQLException {
        Set<Long> running = reader.running();
        StringBuilder json = new StringBuilder(1 << 14);
        json.append("{\"total\":").append(head.total());
        json.append(",\"offset\":").append(head.offset());
        json.append(",\"revision\":").append(head.revision()).append(",\"calls\":[");
        PreparedStatement statement = reader.statement(
                "SELECT " + WHOLE + " FROM calls JOIN call_documents ON call_documents.call = calls.id" + rows);
        condition.set(statement, 1);
        try (ResultSet result = statement.executeQuery()) {
            for (String comma = ""; result.next(); comma = ",\n") {
                json.append(comma).append(document(result, running));
            }
        }
        return json.append("]}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The document of a call, behind what the database knows of it in addition. */
    private static String document(ResultSet row, Set<Long> running) throws SQLException {
        String document = row.getString(3).strip();
        byte[] added = JsonReply.document(out -> {
            try {
                out.field("id", row.getString(1))
                        .field("running", running.contains(row.getLong(1)))
                        .field("origin", row.getString(2));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        return joined(added, document);
    }

    private void one(ServerRequest request, ServerResponse response) throws SQLException {
        long id = id(request);
        byte[] found = data.answer(request, reader -> {
            PreparedStatement statement = reader.statement("SELECT " + WHOLE
                    + " FROM calls JOIN call_documents ON call_documents.call = calls.id WHERE calls.id = ?");
            statement.setLong(1, id);
            try (ResultSet result = statement.executeQuery()) {
                if (result.next()) {
                    return document(result, reader.running()).getBytes(StandardCharsets.UTF_8);
                }
            }
            return CallTables.document(reader, id, SUMMARY);
        });
        if (found.length == 0) {
            throw unknown();
        }
        String missing = audio.missing(data.of(request).data(), new CallData.CallKey(id, List.of()));
        JsonReply.sendDocument(response, with(found, out -> out.field("audioMissing", missing)));
    }

    /** A document with further fields in front. */
    private static byte[] with(byte[] document, Consumer<JsonFields> fields) {
        String behind = new String(document, StandardCharsets.UTF_8).strip();
        return joined(JsonReply.document(fields), behind).getBytes(StandardCharsets.UTF_8);
    }

    /** The fields of two objects as one. */
    private static String joined(byte[] first, String second) {
        String front = new String(first, StandardCharsets.UTF_8).strip();
        return front.substring(0, front.length() - 1) + ',' + second.substring(1);
    }

    /** The call that a request names. */
    static CallData.CallKey key(ReadConnections reader, ServerRequest request) throws SQLException {
        long id = id(request);
        return new CallData.CallKey(id, reader.read(one -> callIds(one, id)));
    }

    private void messages(ServerRequest request, ServerResponse response) throws SQLException {
        long id = id(request);
        byte[] found = data.answer(request, reader -> MessageRows.document(reader, callIds(reader, id)));
        JsonReply.sendDocument(response, found);
    }

    private void packets(ServerRequest request, ServerResponse response) throws SQLException {
        ReadConnections reader = data.of(request);
        CallData.CallKey key = key(reader, request);
        send(reader.data(), List.of(key), "call-" + key.id(), response);
    }

    /** Answers a request for the packets of several calls, in one capture. */
    void packetsOfSeveral(ServerRequest request, ServerResponse response) throws SQLException {
        ReadConnections reader = data.of(request);
        List<String> ids = new Parameters(request).list("calls");
        if (ids.isEmpty()) {
            throw new BadRequestException(400, "calls is missing: ids of calls with commas between");
        }
        List<CallData.CallKey> keys = new ArrayList<>(ids.size());
        for (String text : ids) {
            long id = id(text, "call");
            keys.add(new CallData.CallKey(id, reader.read(one -> callIds(one, id))));
        }
        send(reader.data(), keys, ids.size() == 1 ? "call-" + ids.getFirst() : "calls-" + ids.size(), response);
    }

    private static void send(CallData shown, List<CallData.CallKey> keys, String name, ServerResponse response) {
        if (!shown.hasPackets()) {
            throw new BadRequestException(404, "packets are not kept; offhook serve --keep-packets keeps them");
        }
        response.header("Content-Type", "application/x-pcapng");
        response.header("Content-Disposition", "attachment; filename=\"" + name + ".pcapng\"");
        try (OutputStream out = response.outputStream()) {
            shown.writePackets(keys, out);
        } catch (FileNotFoundException e) {
            throw new BadRequestException(404, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void points(ServerRequest request, ServerResponse response) throws SQLException {
        ReadConnections reader = data.of(request);
        CallData.CallKey key = key(reader, request);
        CapturePoints points = reader.data().points();
        CapturePoints.Comparison compared = points == null ? CapturePoints.Comparison.NONE : points.compare(key);
        JsonReply.send(response, out -> {
            out.field("state", compared.state().name().toLowerCase(Locale.ROOT));
            compared.fields().accept(out);
        });
    }

    /** The Call-IDs of all legs. */
    private static List<String> callIds(CallReader reader, long id) throws SQLException {
        List<String> callIds = new ArrayList<>();
        PreparedStatement statement =
                reader.statement("SELECT call_id FROM dialogs WHERE call = ? ORDER BY first_seen_at");
        statement.setLong(1, id);
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                callIds.add(result.getString(1));
            }
        }
        if (callIds.isEmpty()) {
            throw unknown();
        }
        return callIds;
    }

    private static BadRequestException unknown() {
        return new BadRequestException(404, "there is no such call; it may have been deleted to make room");
    }

    private static long id(ServerRequest request) {
        return id(request.path().pathParameters().first("id").orElse(""), "call");
    }

    /**
     * An id of the database.
     *
     * @param of what it is of, for the message
     */
    static long id(String text, String of) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw new BadRequestException(404, "the id of a " + of + " is a number");
        }
    }
}
