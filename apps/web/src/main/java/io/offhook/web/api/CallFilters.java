package io.offhook.web.api;

import io.offhook.web.http.BadRequestException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The filters of requests for calls, streams and totals, as conditions of SQL. */
final class CallFilters {
    /** Whether a call goes on; {@code CallReader} has the table. */
    static final String RUNNING = "(calls.id IN (SELECT id FROM running_calls))";

    private static final String FAILED = "outcome NOT IN ('answered', 'ongoing', 'ringing', 'redirected')";

    private CallFilters() {}

    /** The condition on table {@code calls}. */
    static Condition ofCalls(Parameters parameters) {
        Condition condition = new Condition();
        String text = parameters.text("text");
        if (text != null) {
            condition.and(
                    "contains(lower(concat_ws(' ', call_id, from_uri, to_uri, source_address, destination_address,"
                            + " caller_software, callee_software, verdict, codec, asserted_identity)), lower(?))",
                    text);
        }
        String number = parameters.text("number");
        if (number != null) {
            condition.and("contains(coalesce(from_user, ''), ?) OR contains(coalesce(to_user, ''), ?)", number, number);
        }
        String address = parameters.text("address");
        if (address != null) {
            condition.and(
                    "starts_with(coalesce(source_address, ''), ?) OR starts_with(coalesce(destination_address, ''), ?)"
                            + " OR id IN (SELECT call FROM streams WHERE starts_with(source, ?)"
                            + " OR starts_with(destination, ?))",
                    address,
                    address,
                    address,
                    address);
        }
        among(condition, "outcome", parameters.list("outcome"));
        among(condition, "codec", parameters.list("codec"));
        double mos = parameters.real("mos-below");
        if (!Double.isNaN(mos)) {
            condition.and("worst_mos < ?", mos);
        }
        List<String> kinds = parameters.list("problem");
        if (!kinds.isEmpty()) {
            condition.and(
                    "id IN (SELECT call FROM problems WHERE kind IN (" + marks(kinds.size()) + "))", kinds.toArray());
        }
        if (parameters.flag("bad")) {
            condition.and("bad");
        }
        if (parameters.flag("failed")) {
            condition.and(FAILED);
        }
        if (parameters.flag("running")) {
            condition.and(RUNNING);
        }
        between(condition, "first_seen_at", parameters);
        return condition;
    }

    /** Adds that a column has one of these values, unless there are none. */
    static void among(Condition condition, String column, List<String> values) {
        if (!values.isEmpty()) {
            condition.and(column + " IN (" + marks(values.size()) + ")", values.toArray());
        }
    }

    /** Adds the limits of time {@code from} and {@code to}. */
    static void between(Condition condition, String column, Parameters parameters) {
        Long from = parameters.time("from");
        Long to = parameters.time("to");
        if (from != null) {
            condition.and(column + " >= make_timestamp_ns(?)", from);
        }
        if (to != null) {
            condition.and(column + " < make_timestamp_ns(?)", to);
        }
    }

    private static String marks(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }

    /**
     * What stands behind ORDER BY.
     *
     * @param sort the name of a field, behind a hyphen for the other direction; null for {@code standard}
     * @param last what decides between equals, so that pages do not overlap
     */
    static String order(@Nullable String sort, List<Field> fields, String standard, String last) {
        String name = sort == null ? standard : sort;
        boolean isDescending = name.startsWith("-");
        String wanted = isDescending ? name.substring(1) : name;
        for (Field field : fields) {
            if (field.name().equals(wanted)) {
                return " ORDER BY " + field.sortedBy() + (isDescending ? " DESC" : "") + " NULLS LAST, " + last;
            }
        }
        throw new BadRequestException(400, "sort names no field: " + wanted);
    }
}
