package io.offhook.cli.sql;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.terminal.Terminal;
import io.offhook.store.CallStore;
import io.offhook.store.StoreException;
import io.offhook.store.StoreSettings;
import io.offhook.store.query.SqlException;
import io.offhook.store.query.SqlLimits;
import io.offhook.store.query.SqlResult;
import io.offhook.store.query.SqlSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code sql} and {@code ask} have in common: what is asked, within which limits, and how it is printed. */
final class SqlInput {
    static final String CAPTURES =
            "Captures, whose calls are asked about, as offhook calls reads them; none: a database.";

    private static final String USUAL = "calls.duckdb";
    private static final int SECONDS = 60;
    private static final int TABLE_ROWS = 1000;
    private static final int ROWS = 1_000_000;

    private SqlInput() {}

    static void describeDatabase(CommandSpec spec) {
        spec.addOption(
                DatabaseOption.NAME,
                "FILE",
                String.class,
                "The database (default: " + USUAL + " here). If another offhook holds it, that one is asked.");
    }

    static void describe(CommandSpec spec) {
        describeDatabase(spec);
        spec.addOption("--limit", "N", Long.class, "At most so many rows (default 1,000 in a table, else 1,000,000).");
        spec.addOption("--timeout", "S", Integer.class, "End it after so many seconds (default " + SECONDS + ").");
        OutputOptions.describe(spec);
        InputOptions.describeFilter(spec);
        InputOptions.describeJoins(spec);
        InputOptions.describeLanes(spec);
    }

    private static SqlLimits limits(ParseResult arguments, Format format) {
        long rows = arguments.matchedOptionValue("--limit", format == Format.TABLE ? (long) TABLE_ROWS : (long) ROWS);
        int seconds = arguments.matchedOptionValue("--timeout", SECONDS);
        if (rows < 1 || rows > SqlLimits.MOST_ROWS) {
            throw new MisuseException("--limit " + rows + " is outside 1 to " + SqlLimits.MOST_ROWS);
        }
        if (seconds < 1 || seconds > SqlLimits.MOST_TIME_MS / 1000) {
            throw new MisuseException("--timeout " + seconds + " is outside 1 to " + SqlLimits.MOST_TIME_MS / 1000);
        }
        return new SqlLimits(rows, seconds * 1000L);
    }

    /**
     * Asks, and prints the answer.
     *
     * @param files captures; if there are none, the database is asked
     * @return an {@link ExitCode}
     */
    static int run(String sql, List<String> files, ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        SqlLimits limits = limits(arguments, output.format());
        String database = arguments.optionValue(DatabaseOption.NAME, String.class);
        if (!files.isEmpty() && database != null) {
            throw new MisuseException("captures or --db, one of them; offhook calls FILE... --db " + database
                    + " writes the calls of captures to the database");
        }
        try {
            if (!files.isEmpty()) {
                return captures(sql, files, limits, arguments, terminal);
            }
            try (SqlSession session = SqlSession.open(database(database), StoreSettings.standard())) {
                answer(session, sql, limits, output, terminal);
                return ExitCode.DONE;
            }
        } catch (SqlException e) {
            terminal.error(String.valueOf(e.getMessage()));
            return ExitCode.MISUSE;
        } catch (StoreException e) {
            terminal.error(String.valueOf(e.getMessage()));
            return ExitCode.UNREADABLE;
        }
    }

    /** The database that is named, or the usual one. */
    static Path database(ParseResult arguments) {
        return database(arguments.optionValue(DatabaseOption.NAME, String.class));
    }

    private static Path database(@Nullable String named) {
        Path path = Path.of(named == null ? USUAL : named);
        if (named == null && !Files.exists(path)) {
            throw new MisuseException(
                    "there is no " + USUAL + " here; name a database by --db, or captures behind the" + " question");
        }
        return path;
    }

    private static int captures(
            String sql, List<String> files, SqlLimits limits, ParseResult arguments, Terminal terminal)
            throws IOException {
        CallStore store = CallStore.inMemory(StoreSettings.standard());
        try (SqlSession session = SqlSession.of(store);
                OpenCapture input = OpenCapture.open(files, InputOptions.filter(arguments), terminal)) {
            CaptureDatabase.load(store, files, input, InputOptions.analysis(arguments));
            if (!input.isUnreadable()) {
                answer(session, sql, limits, OutputOptions.of(arguments), terminal);
            }
            return input.reportFaults(ExitCode.DONE);
        }
    }

    private static void answer(
            SqlSession session, String sql, SqlLimits limits, OutputOptions output, Terminal terminal)
            throws IOException {
        SqlResult result;
        try (SqlOutput rows = SqlOutput.of(output, terminal)) {
            result = session.ask(sql, limits, rows);
            rows.finish(result);
        }
        terminal.flush();
        if (result.isCut()) {
            terminal.error("there are more than " + limits.rows() + " rows; --limit N prints more");
        }
    }
}
