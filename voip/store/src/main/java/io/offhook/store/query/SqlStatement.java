package io.offhook.store.query;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement that was found to be one question. DuckDB's own parser decides, so that no quoting or comment deceives it: what
 * cannot be written as the JSON of a SELECT is none.
 */
final class SqlStatement {
    private static final Pattern EXPLAIN = Pattern.compile("(?i)\\s*EXPLAIN(\\s+ANALYZE)?\\s");
    private static final String PARSE = """
        SELECT j->>'$.error', j->>'$.error_type', j->>'$.error_message', json_array_length(j->'$.statements')
        FROM (SELECT json_serialize_sql(?::VARCHAR) j)\
        """;

    private final String question;
    private final String explain;

    private SqlStatement(String question, String explain) {
        this.question = question;
        this.explain = explain;
    }

    /** @throws SqlException if it is none, or more than one */
    static SqlStatement of(Connection connection, String sql) throws SqlException, SQLException {
        Matcher explain = EXPLAIN.matcher(sql);
        boolean isExplained = explain.lookingAt();
        String question = isExplained ? sql.substring(explain.end()) : sql;
        try (PreparedStatement parser = connection.prepareStatement(PARSE)) {
            parser.setString(1, question);
            try (ResultSet result = parser.executeQuery()) {
                result.next();
                if (!"false".equals(result.getString(1))) {
                    throw "parser".equals(result.getString(2))
                            ? new SqlException(result.getString(3))
                            : new SqlException("only a question is answered: SELECT, FROM, WITH, VALUES, DESCRIBE,"
                                    + " SUMMARIZE, SHOW or EXPLAIN");
                }
                int statements = result.getInt(4);
                if (statements != 1) {
                    throw new SqlException(
                            statements == 0 ? "there is no question" : statements + " questions at a time; ask one");
                }
            }
        }
        return new SqlStatement(withoutEnd(question), isExplained ? explain.group() : "");
    }

    /** Without the semicolon, which must not be in a subquery; one within a comment or a text is not at the end. */
    private static String withoutEnd(String sql) {
        String text = sql.strip();
        while (text.endsWith(";")) {
            text = text.substring(0, text.length() - 1).strip();
        }
        return text;
    }

    boolean isExplained() {
        return !explain.isEmpty();
    }

    /** The statement as it is. */
    String text() {
        return explain + question;
    }

    /** Makes a table of the first rows of its result: DuckDB holds results beyond its memory limit, but not tables. */
    String intoTable(String table, long rows) {
        return "CREATE TEMP TABLE " + table + " AS SELECT * FROM (" + question + "\n) LIMIT " + rows;
    }
}
