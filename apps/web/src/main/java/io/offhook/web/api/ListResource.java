package io.offhook.web.api;

import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.offhook.report.fields.JsonFields;
import io.offhook.web.data.CallReader;
import io.offhook.web.http.JsonReply;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A list of rows of one table, in pages.
 *
 * @param name of the array in JSON
 * @param table in SQL
 * @param fields of each element
 * @param standard how it is sorted if a request does not say
 */
record ListResource(String name, String table, List<Field> fields, String standard) {
    private static final int MOST_ROWS = 1000;
    private static final int MOST_OFFSET = 100_000_000;
    private static final int STANDARD_ROWS = 100;

    static final ListResource STREAMS = new ListResource(
            "streams",
            "streams",
            List.of(
                    Field.id("id", "id"),
                    Field.id("call", "call"),
                    Field.text("callId", "call_id"),
                    Field.text("ssrc", "ssrc"),
                    Field.text("direction", "direction"),
                    Field.text("source", "source"),
                    Field.text("destination", "destination"),
                    Field.text("mediaType", "media_type"),
                    Field.text("codec", "codec"),
                    Field.time("firstAt", "first_at"),
                    Field.time("lastAt", "last_at"),
                    Field.whole("packets", "packets"),
                    Field.whole("expected", "expected"),
                    Field.whole("lost", "lost"),
                    Field.real("lostPercent", "lost_percent"),
                    Field.whole("longestBurst", "longest_burst"),
                    Field.real("burstRatio", "burst_ratio"),
                    Field.real("meanJitterMs", "mean_jitter_ms"),
                    Field.real("maxJitterMs", "max_jitter_ms"),
                    Field.real("maxDeltaMs", "max_delta_ms"),
                    Field.real("discardPercent", "discard_percent"),
                    Field.real("mos", "mos"),
                    Field.text("mosScale", "mos_scale"),
                    Field.flag("mosTrusted", "mos_trusted"),
                    Field.real("minMos", "min_mos"),
                    Field.real("farEndLostPercent", "far_end_lost_percent"),
                    Field.real("farEndMaxJitterMs", "far_end_max_jitter_ms"),
                    Field.real("farEndRoundTripMs", "far_end_round_trip_ms")),
            "-firstAt");

    static final ListResource REGISTRATIONS = new ListResource(
            "registrations",
            "registrations",
            List.of(
                    Field.id("id", "id"),
                    Field.text("callId", "call_id"),
                    Field.text("addressOfRecord", "address_of_record"),
                    Field.text("user", "username"),
                    Field.text("contact", "contact"),
                    Field.text("userAgent", "user_agent"),
                    Field.text("client", "client"),
                    Field.text("registrar", "registrar"),
                    Field.text("outcome", "outcome"),
                    Field.whole("finalStatus", "final_status"),
                    Field.flag("challenged", "challenged"),
                    Field.whole("expiresSeconds", "expires_seconds"),
                    Field.whole("requests", "requests"),
                    Field.time("firstAt", "first_at"),
                    Field.time("lastAt", "last_at"),
                    Field.time("boundUntil", "bound_until"),
                    Field.text("problems", "problems")),
            "-lastAt");

    /** What stands behind FROM for the rows of a page. */
    static String page(CallReader reader, String table, Condition condition, String order, String limits) {
        return reader.isInFiles() ? pageByIds(table, condition, order, limits) : condition.where() + order + limits;
    }

    /**
     * What stands behind FROM for the rows of a page, which are found by their ids first. DuckDB does that by itself where rows are in
     * one table; in files, or joined, sorting all rows with all their columns would take two to four times as long.
     */
    static String pageByIds(String table, Condition condition, String order, String limits) {
        return " WHERE " + table + ".id IN (SELECT id FROM " + table + condition.where() + order + limits + ")" + order;
    }

    /** @return what stands at the end of a page */
    static String limits(int limit, int offset) {
        return " LIMIT " + limit + " OFFSET " + offset;
    }

    /** Answers a request for streams. */
    void streams(DataSets data, ServerRequest request, ServerResponse response) throws SQLException {
        Parameters parameters = new Parameters(request);
        Condition condition = new Condition();
        String text = parameters.text("text");
        if (text != null) {
            condition.and("contains(lower(concat_ws(' ', call_id, source, destination, ssrc, codec)), lower(?))", text);
        }
        CallFilters.among(condition, "codec", parameters.list("codec"));
        double mos = parameters.real("mos-below");
        if (!Double.isNaN(mos)) {
            condition.and("mos < ?", mos);
        }
        CallFilters.between(condition, "first_at", parameters);
        send(data, condition, request, response);
    }

    /** Answers a request for registrations. */
    void registrations(DataSets data, ServerRequest request, ServerResponse response) throws SQLException {
        Parameters parameters = new Parameters(request);
        Condition condition = new Condition();
        String text = parameters.text("text");
        if (text != null) {
            condition.and(
                    "contains(lower(concat_ws(' ', address_of_record, contact, user_agent, client, registrar, outcome,"
                            + " problems)), lower(?))",
                    text);
        }
        CallFilters.among(condition, "outcome", parameters.list("outcome"));
        send(data, condition, request, response);
    }

    private void send(DataSets data, Condition condition, ServerRequest request, ServerResponse response)
            throws SQLException {
        Parameters parameters = new Parameters(request);
        int limit = parameters.number("limit", STANDARD_ROWS, 1, MOST_ROWS);
        int offset = parameters.number("offset", 0, 0, MOST_OFFSET);
        String order = CallFilters.order(parameters.text("sort"), fields, standard, "id");
        byte[] answer = data.answer(request, reader -> {
            long total = CallsResource.count(reader, table, condition);
            String rows = page(reader, table, condition, order, limits(limit, offset));
            PreparedStatement statement = reader.statement("SELECT " + Field.select(fields) + " FROM " + table + rows);
            condition.set(statement, 1);
            try (ResultSet result = statement.executeQuery();
                    JsonBuffer json = new JsonBuffer()) {
                JsonFields out = json.out();
                out.field("total", total).field("offset", offset).array(name);
                while (result.next()) {
                    out.object();
                    Field.write(fields, result, out);
                    out.end();
                }
                return json.end();
            }
        });
        JsonReply.sendDocument(response, answer);
    }
}
