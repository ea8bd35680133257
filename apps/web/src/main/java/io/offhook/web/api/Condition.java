package io.offhook.web.api;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What rows have to fulfil: terms of SQL, all of them, with the values of their parameters. */
final class Condition {
    private final List<String> terms = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    /**
     * Adds a term.
     *
     * @param sql a condition; nothing in it comes from a request
     * @param parameters the values of its question marks
     */
    Condition and(String sql, Object... parameters) {
        terms.add('(' + sql + ')');
        values.addAll(List.of(parameters));
        return this;
    }

    /** This one with another term; this one stays as it is. */
    Condition with(String sql, Object... parameters) {
        Condition both = new Condition();
        both.terms.addAll(terms);
        both.values.addAll(values);
        return both.and(sql, parameters);
    }

    /** " WHERE …", or nothing. */
    String where() {
        return terms.isEmpty() ? "" : " WHERE " + String.join(" AND ", terms);
    }

    /**
     * Sets the parameters of a statement.
     *
     * @param first the number of the first one, from 1
     * @return the number behind the last one
     */
    int set(PreparedStatement statement, int first) throws SQLException {
        int i = first;
        for (Object value : values) {
            statement.setObject(i++, value);
        }
        return i;
    }
}
