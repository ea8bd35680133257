package io.offhook.cli.sql;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import java.io.IOException;

/** {@code offhook sql SQL [FILE...]}: asks a database of calls, or captures. */
public final class SqlCommand implements Command {
    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter(
                "SQL",
                "One question in the SQL of DuckDB: 'SELECT * FROM calls WHERE bad'; 'SHOW TABLES', 'DESCRIBE calls'."
                        + " docs/SCHEMA.md describes the tables.");
        spec.addOptionalParameters("FILE", SqlInput.CAPTURES);
        SqlInput.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        return SqlInput.run(arguments.parameter(0), arguments.parametersFrom(1), arguments, terminal);
    }
}
