package io.offhook.web.api;

import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import io.offhook.web.data.CallReader;
import io.offhook.web.http.JsonReply;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * How calls went, as a whole and over time: attempts, those answered, ASR and NER (ITU-T E.425), ACD, the worst MOS, and how
 * many went on at a time. The same definitions as {@code offhook stats} has.
 */
final class TotalsResource {
    /** Of a group of calls. */
    static final List<Field> FIGURES = List.of(
            Field.whole("attempts", "count_if(" + CallRates.ATTEMPT + ")"),
            Field.whole("answered", "count_if(" + CallRates.ATTEMPT + " AND " + CallRates.ANSWERED + ")"),
            Field.whole("bad", "count_if(bad)"),
            Field.real("asrPercent", percentOfAttempts(CallRates.ANSWERED)),
            Field.real("nerPercent", percentOfAttempts(CallRates.EFFECTIVE)),
            Field.real("acdSeconds", "avg(duration_ms) / 1000"),
            Field.real("worstMos", "min(worst_mos)"));

    private static final int MOST_BUCKETS = 500;
    private static final int STANDARD_BUCKETS = 60;
    private static final long RECENT_NS = 10_000_000_000L;

    private final DataSets data;

    TotalsResource(DataSets data) {
        this.data = data;
    }

    private static String percentOfAttempts(String part) {
        return "100.0 * count_if(" + CallRates.ATTEMPT + " AND " + part + ") / nullif(count_if(" + CallRates.ATTEMPT
                + "), 0)";
    }

    void totals(ServerRequest request, ServerResponse response) throws SQLException {
        Parameters parameters = new Parameters(request);
        int buckets = parameters.number("buckets", STANDARD_BUCKETS, 1, MOST_BUCKETS);
        Condition condition = CallFilters.ofCalls(parameters);
        byte[] answer = data.answer(request, reader -> document(reader, condition, buckets));
        JsonReply.sendDocument(response, answer);
    }

    private static byte[] document(CallReader reader, Condition condition, int buckets) throws SQLException {
        try (JsonBuffer json = new JsonBuffer()) {
            JsonFields out = json.out();
            now(reader, condition, out);
            long firstNs;
            long lastNs;
            PreparedStatement statement = reader.statement("SELECT " + Field.select(FIGURES)
                    + ", epoch_ns(min(first_seen_at)), epoch_ns(max(coalesce(ended_at, first_seen_at))) FROM calls"
                    + condition.where());
            condition.set(statement, 1);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                Field.write(FIGURES, result, out);
                firstNs = result.getLong(FIGURES.size() + 1);
                lastNs = result.getLong(FIGURES.size() + 2);
            }
            out.array("series");
            if (lastNs > firstNs) {
                series(reader, condition, new Axis(firstNs, (lastNs - firstNs) / buckets + 1, buckets), out);
            }
            return json.end();
        }
    }

    /** Stretches of time of equal length. */
    private record Axis(long firstNs, long stepNs, int buckets) {}

    private static void now(CallReader reader, Condition condition, FieldWriter out) throws SQLException {
        long nowNs = System.currentTimeMillis() * 1_000_000L;
        Condition begun = condition.with("first_seen_at >= make_timestamp_ns(?)", nowNs - RECENT_NS);
        boolean isOfAll = condition.where().isEmpty();
        out.object("now")
                .field(
                        "running",
                        isOfAll
                                ? reader.running().size()
                                : CallsResource.count(reader, "calls", condition.with(CallFilters.RUNNING)))
                .field("callsPerSecond", CallsResource.count(reader, "calls", begun) / (RECENT_NS / 1e9), 2)
                .end();
    }

    /** The figures of each stretch, by the time when calls began, and how many went on at its beginning. */
    private static void series(CallReader reader, Condition condition, Axis axis, FieldWriter out) throws SQLException {
        List<Field> fields = FIGURES;
        // one whose end was missed is counted until its media ended
        String sql =
                "WITH found AS (SELECT *, ended_at IS NULL AND answered_at IS NOT NULL AND NOT " + CallFilters.RUNNING
                        + " AS missed FROM calls" + condition.where()
                        + "), heard AS (SELECT call, max(last_at) AS at FROM streams"
                        + " WHERE call IN (SELECT id FROM found WHERE missed) GROUP BY call), chosen AS (SELECT found.*,"
                        + " coalesce(ended_at, heard.at) AS over_at FROM found LEFT JOIN heard ON heard.call = found.id),"
                        + " stretch AS (SELECT range AS i, ? + range * ? AS at FROM range(?)),"
                        + " began AS (SELECT (epoch_ns(first_seen_at) - ?) // ? AS i, " + named(fields)
                        + " FROM chosen GROUP BY 1), change AS (SELECT (epoch_ns(answered_at) - ?) // ? AS i, 1 AS step FROM"
                        + " chosen WHERE answered_at IS NOT NULL UNION ALL SELECT (epoch_ns(over_at) - ?) // ? + 1, -1 FROM"
                        + " chosen WHERE answered_at IS NOT NULL AND over_at IS NOT NULL), standing AS (SELECT i,"
                        + " sum(sum(step)) OVER (ORDER BY i) AS running FROM change GROUP BY i) SELECT stretch.at,"
                        + " coalesce(standing.running, 0), began.* FROM stretch LEFT JOIN began ON began.i = stretch.i ASOF"
                        + " LEFT JOIN standing ON stretch.i >= standing.i ORDER BY stretch.i";
        PreparedStatement statement = reader.statement(sql);
        int next = condition.set(statement, 1);
        statement.setLong(next++, axis.firstNs());
        statement.setLong(next++, axis.stepNs());
        statement.setLong(next++, axis.buckets());
        for (int i = 0; i < 3; i++) {
            statement.setLong(next++, axis.firstNs());
            statement.setLong(next++, axis.stepNs());
        }
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                out.object().time("at", result.getLong(1)).field("running", result.getLong(2));
                for (int i = 0; i < fields.size(); i++) {
                    fields.get(i).write(result, 4 + i, out);
                }
                out.end();
            }
        }
    }

    private static String named(List<Field> fields) {
        StringBuilder sql = new StringBuilder();
        for (Field field : fields) {
            sql.append(sql.isEmpty() ? "" : ", ")
                    .append(field.sql())
                    .append(" AS f_")
                    .append(field.name());
        }
        return sql.toString();
    }
}
