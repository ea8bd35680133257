package io.offhook.cli.sql;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.command.TimeBound;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.text.Times;
import io.offhook.store.ExportFormat;
import io.offhook.store.ExportRequest;
import io.offhook.store.StoreException;
import io.offhook.store.StoreSettings;
import io.offhook.store.query.DatabaseExport;
import io.offhook.store.query.SqlException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code offhook export FOLDER [TABLE...]}: writes tables of a database to files for other programs. */
public final class ExportCommand implements Command {
    private static final String FORMAT = "--format";

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter("FOLDER", "Where the files go. Those that are there stay, and are not overwritten.");
        spec.addOptionalParameters("TABLE", "Tables, as docs/SCHEMA.md lists them; none: all.");
        SqlInput.describeDatabase(spec);
        spec.addOption(
                FORMAT,
                "FORMAT",
                ExportFormat.class,
                "parquet (default: a file a table and day), json (an object a line) or csv.");
        spec.addOption(
                "--since",
                "TIME",
                String.class,
                "Only what is of this time or later: calls that began then, for example.");
        spec.addOption("--until", "TIME", String.class, "Only what is of this time or earlier.");
        spec.addFlag("--utc", "Use UTC instead of local time for --since and --until.");
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        Path folder = Path.of(arguments.parameter(0));
        ExportRequest request = request(arguments);
        Path database = SqlInput.database(arguments);
        try {
            Map<String, Long> rows = DatabaseExport.run(database, StoreSettings.standard(), request, folder);
            for (Map.Entry<String, Long> table : rows.entrySet()) {
                terminal.out().append(table.getKey() + ": " + table.getValue() + " rows\n");
            }
            terminal.flush();
            return ExitCode.DONE;
        } catch (FileAlreadyExistsException e) {
            throw new MisuseException(
                    e.getFile() + " is there already, and nothing was exported; name another folder, or"
                            + " other times by --since and --until");
        } catch (SqlException | StoreException e) {
            terminal.error(String.valueOf(e.getMessage()));
            return ExitCode.UNREADABLE;
        }
    }

    private static ExportRequest request(ParseResult arguments) {
        ZoneId zone = arguments.hasMatchedOption("--utc") ? ZoneOffset.UTC : ZoneId.systemDefault();
        List<String> tables = arguments.parametersFrom(1);
        try {
            return new ExportRequest(
                    tables.isEmpty() ? ExportRequest.allTables() : tables,
                    arguments.matchedOptionValue(FORMAT, ExportFormat.PARQUET),
                    ns(TimeBound.since(arguments, zone), Long.MIN_VALUE),
                    ns(TimeBound.until(arguments, zone), Long.MAX_VALUE));
        } catch (IllegalArgumentException e) {
            throw new MisuseException(String.valueOf(e.getMessage()));
        }
    }

    /** A time of day is today's. */
    private static long ns(@Nullable TimeBound bound, long otherwise) {
        return bound == null ? otherwise : bound.ns(Times.epochNs());
    }
}
