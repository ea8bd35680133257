package io.offhook.web.alert;

import io.offhook.web.api.CallRates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * How alerts are measured. Each query has one row at most: the value, how much it was measured by, the source, and a text of the
 * network or null. {@code $from} and {@code $until} are the ends of the window, {@code $before} is the beginning of the time
 * before it that it is compared with, in nanoseconds since the epoch. What was mirrored is the same packet once more, and not
 * counted.
 */
final class AlertQueries {
    private static final String MESSAGES_OF_WINDOW =
            " FROM messages WHERE captured_at >= make_timestamp_ns($from) AND captured_at < make_timestamp_ns($until)"
                    + " AND copy IS DISTINCT FROM 'mirrored'";

    /** A call that began more than a day before the window is left out, so that older ones need not be read. */
    private static final String CALLS_OF_WINDOW =
            " FROM calls WHERE first_seen_at >= make_timestamp_ns($from - 86400000000000)"
                    + " AND %1$s >= make_timestamp_ns($from) AND %1$s < make_timestamp_ns($until)";

    static final String BAD_CALLS =
            "SELECT 100.0 * count(*) FILTER (WHERE bad) / nullif(count(*), 0), count(*), NULL, NULL"
                    + CALLS_OF_WINDOW.formatted("coalesce(ended_at, first_seen_at)")
                    + " AND outcome NOT IN ('ringing', 'ongoing')";

    static final String LOW_ASR = "SELECT 100.0 * count(*) FILTER (WHERE " + CallRates.ANSWERED
            + ") / nullif(count(*), 0), count(*), NULL, NULL"
            + CALLS_OF_WINDOW.formatted("coalesce(answered_at, ended_at, first_seen_at)") + " AND "
            + CallRates.ATTEMPT;

    /** Both samples must be large enough, so that the smaller one counts. */
    static final String ASR_DROP =
            "WITH attempt AS (SELECT coalesce(answered_at, ended_at, first_seen_at) AS decided_at, "
                    + CallRates.ANSWERED + " AS answered FROM calls WHERE first_seen_at >="
                    + " make_timestamp_ns($before - 86400000000000) AND " + CallRates.ATTEMPT + "), ratio AS (SELECT"
                    + " count(*) FILTER (WHERE decided_at >= make_timestamp_ns($from)) AS now, count(*) FILTER (WHERE decided_at <"
                    + " make_timestamp_ns($from)) AS before, count(*) FILTER (WHERE answered AND decided_at >="
                    + " make_timestamp_ns($from)) AS answered_now, count(*) FILTER (WHERE answered AND decided_at <"
                    + " make_timestamp_ns($from)) AS answered_before FROM attempt WHERE decided_at >= make_timestamp_ns($before)"
                    + " AND decided_at < make_timestamp_ns($until)) SELECT 100.0 * answered_before / nullif(before, 0) - 100.0 *"
                    + " answered_now / nullif(now, 0), least(now, before), NULL, NULL FROM ratio";

    static final String REGISTRATION_STORM = "SELECT 1e9 * count(*) / ($until - $from), count(*), NULL, NULL"
            + MESSAGES_OF_WINDOW + " AND method = 'REGISTER'";

    static final String SCANNER = "WITH seen AS (SELECT *" + MESSAGES_OF_WINDOW + "),"
            + " asked AS (SELECT " + host("source_address") + " AS source, call_id, min(captured_at) AS asked_at,"
            + " any_value(coalesce(to_uri, '') || ' ' ||"
            + " destination_address) AS target FROM seen WHERE method"
            + " IN ('INVITE', 'OPTIONS', 'REGISTER', 'SUBSCRIBE',"
            + " 'MESSAGE') AND to_tag IS NULL GROUP BY 1, 2), answer"
            + " AS (SELECT call_id, bool_or(status BETWEEN 180 AND"
            + " 299) AS reached, count(DISTINCT cseq_number) FILTER"
            + " (WHERE status BETWEEN 400 AND 499 AND status NOT IN"
            + " (401, 407, 480, 486, 487)) AS refused FROM seen WHERE"
            + " status IS NOT NULL GROUP BY 1) SELECT"
            + " greatest(count(DISTINCT target),"
            + " coalesce(sum(refused), 0)) AS value, count(*) AS"
            + " sample, source, NULL FROM asked LEFT JOIN answer USING"
            + " (call_id) GROUP BY source HAVING 10 * count(*) FILTER"
            + " (WHERE reached) <= count(*) ORDER BY value DESC,"
            + " min(asked_at) LIMIT 1";

    static final String BRUTE_FORCE = "SELECT count(*) FILTER (WHERE status IN (401, 403, 404, 407))"
            + " - count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS value, count(*) AS sample, "
            + host("destination_address") + " AS source, mode(to_user)" + MESSAGES_OF_WINDOW
            + " AND status >= 200 AND cseq_method = 'REGISTER' AND copy IS DISTINCT FROM 'retransmission'"
            + " GROUP BY ALL ORDER BY value DESC, min(captured_at) DESC LIMIT 1";

    static final String OWN_DROPS =
            "SELECT coalesce(sum(count), 0), coalesce(sum(count), 0), NULL, arg_max(cause, count) FROM drops"
                    + " WHERE counted_at >= make_timestamp_ns($from) AND counted_at < make_timestamp_ns($until)";

    private AlertQueries() {}

    private static String host(String column) {
        return "regexp_replace(" + column + ", ':[0-9]+$', '')";
    }

    /**
     * What a query found.
     *
     * @param value NaN if there is none
     * @param sample calls, messages or drops it was measured by
     * @param source an address, or null
     * @param detail a text of the network, or null
     */
    record Measured(
            double value,
            long sample,
            @Nullable String source,
            @Nullable String detail) {
        static final Measured NOTHING = new Measured(0, 0, null, null);
    }

    /** Measures the window of a rule that ends now. */
    static Measured measure(Connection connection, AlertRule rule, long nowNs) throws SQLException {
        long fromNs = nowNs - rule.window().ns();
        String sql = rule.kind()
                .sql()
                .replace("$before", String.valueOf(fromNs - rule.window().beforeNs()))
                .replace("$from", String.valueOf(fromNs))
                .replace("$until", String.valueOf(nowNs));
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                return Measured.NOTHING;
            }
            double value = row.getDouble(1);
            boolean isAbsent = row.wasNull();
            return new Measured(isAbsent ? Double.NaN : value, row.getLong(2), row.getString(3), row.getString(4));
        }
    }
}
