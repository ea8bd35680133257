package io.offhook.web.api;

import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.offhook.report.fields.JsonFields;
import io.offhook.web.data.ReadConnections;
import io.offhook.web.http.JsonReply;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What there was of each kind: methods, responses, codecs, software, trunks, outcomes, problems; and three histograms. */
final class StatisticsResource {
    private static final int MOST_ROWS = 50;

    private static final Field COUNT = Field.whole("count", "count(*)");
    private static final Field CALLS = Field.whole("calls", "count(*)");

    /**
     * A list in the answer: the rows of a table in groups, the largest first.
     *
     * @param name in JSON
     * @param from behind FROM, with the condition of time at {@code %s}
     * @param time the column that the condition is about
     * @param fields the first is what the groups are made by
     */
    private record Group(String name, String from, String time, List<Field> fields) {
        String sql(Condition condition) {
            return "SELECT " + Field.select(fields) + " FROM " + from.formatted(condition.where())
                    + " GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT " + MOST_ROWS;
        }
    }

    private static final List<Group> GROUPS = List.of(
            new Group(
                    "methods",
                    "(SELECT * FROM messages%s) WHERE method IS NOT NULL",
                    "captured_at",
                    List.of(
                            Field.text("name", "method"),
                            COUNT,
                            Field.whole("retransmissions", "count(*) FILTER (WHERE copy = 'retransmission')"))),
            new Group(
                    "responses",
                    "(SELECT * FROM messages%s) WHERE status IS NOT NULL",
                    "captured_at",
                    List.of(Field.text("name", "CAST(status AS VARCHAR)"), COUNT)),
            new Group(
                    "codecs",
                    "(SELECT * FROM streams%s) WHERE codec IS NOT NULL",
                    "first_at",
                    List.of(
                            Field.text("name", "codec"),
                            Field.whole("streams", "count(*)"),
                            Field.real("lostPercent", "100.0 * sum(greatest(lost, 0)) / nullif(sum(expected), 0)"),
                            Field.real("meanJitterMs", "avg(mean_jitter_ms)"),
                            Field.real("meanMos", "avg(mos)"))),
            new Group(
                    "userAgents",
                    "(SELECT unnest([caller_software, callee_software]) AS software, bad FROM calls%s)"
                            + " WHERE software IS NOT NULL",
                    "first_seen_at",
                    List.of(Field.text("name", "software"), CALLS, Field.whole("bad", "count(*) FILTER (WHERE bad)"))),
            new Group("outcomes", "calls%s", "first_seen_at", List.of(Field.text("name", "outcome"), COUNT)),
            new Group(
                    "problems",
                    "problems WHERE call IN (SELECT id FROM calls%s)",
                    "first_seen_at",
                    List.of(Field.text("kind", "kind"), Field.whole("calls", "count(DISTINCT call)"))),
            histogram("setUpMs", "calls%s", "first_seen_at", "set_up_ms", 250),
            histogram("mos", "streams%s", "first_at", "mos", 0.25),
            histogram("roundTripMs", "streams%s", "first_at", "far_end_round_trip_ms", 25));

    /** Of each address that sent or received calls, with the streams of these calls. */
    private static final List<Field> TRUNK = trunk();

    private final DataSets data;

    StatisticsResource(DataSets data) {
        this.data = data;
    }

    private static List<Field> trunk() {
        List<Field> fields = new ArrayList<>();
        fields.add(Field.text("address", "address"));
        fields.add(CALLS);
        fields.addAll(TotalsResource.FIGURES);
        fields.add(Field.real("lostPercent", "100.0 * sum(lost_packets) / nullif(sum(expected_packets), 0)"));
        fields.add(Field.real("meanJitterMs", "avg(jitter_ms)"));
        return List.copyOf(fields);
    }

    private static Group histogram(String name, String table, String time, String column, double width) {
        return new Group(
                name,
                "(SELECT (floor(" + column + " / " + width + ") + 1) * " + width + " AS up_to FROM " + table
                        + ") WHERE up_to IS NOT NULL",
                time,
                List.of(Field.real("upTo", "up_to"), COUNT));
    }

    void statistics(ServerRequest request, ServerResponse response) throws SQLException {
        Parameters parameters = new Parameters(request);
        byte[] answer = data.answerInSteps(request, connections -> {
            try (JsonBuffer json = new JsonBuffer()) {
                for (Group group : GROUPS) {
                    Condition condition = new Condition();
                    CallFilters.between(condition, group.time(), parameters);
                    write(connections, group.name(), group.sql(condition), condition, group.fields(), json.out());
                    json.out().end();
                }
                Condition condition = new Condition();
                CallFilters.between(condition, "first_seen_at", parameters);
                write(connections, "trunks", trunks(condition), condition, TRUNK, json.out());
                return json.end();
            }
        });
        JsonReply.sendDocument(response, answer);
    }

    /** Opens an array, and fills it. */
    private static void write(
            ReadConnections connections,
            String name,
            String sql,
            Condition condition,
            List<Field> fields,
            JsonFields out)
            throws SQLException {
        out.array(name);
        connections.read(reader -> {
            PreparedStatement statement = reader.statement(sql);
            condition.set(statement, 1);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    out.object();
                    Field.write(fields, result, out);
                    out.end();
                }
            }
            return name;
        });
    }

    private static String trunks(Condition condition) {
        return "WITH media AS (SELECT call, sum(greatest(lost, 0)) AS lost_packets, sum(expected) AS expected_packets,"
                + " avg(mean_jitter_ms) AS jitter_ms FROM streams GROUP BY call),"
                + " chosen AS (SELECT *, regexp_replace(source_address, ':[0-9]+$', '') AS sender,"
                + " regexp_replace(destination_address, ':[0-9]+$', '') AS receiver FROM calls" + condition.where()
                + "), sides AS (SELECT *, unnest(CASE WHEN sender IS NOT DISTINCT FROM receiver THEN [sender]"
                + " ELSE [sender, receiver] END) AS address FROM chosen)"
                + " SELECT " + Field.select(TRUNK) + " FROM sides LEFT JOIN media ON media.call = sides.id"
                + " WHERE address IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT " + MOST_ROWS;
    }
}
