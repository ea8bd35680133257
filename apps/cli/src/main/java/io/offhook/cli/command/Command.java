package io.offhook.cli.command;

import io.offhook.cli.terminal.Terminal;
import java.io.IOException;

/** What a subcommand of {@code offhook} takes and does. */
public interface Command {

    /** Adds options and parameters to a specification that has the name, the summary and {@code --help} already. */
    void describe(CommandSpec spec);

    /**
     * Does it.
     *
     * @param arguments checked against what {@link #describe} declared
     * @return an {@link ExitCode}
     * @throws MisuseException where arguments do not make sense together
     * @throws IOException if the output cannot be written; the command itself reports input that cannot be read
     */
    int run(ParseResult arguments, Terminal terminal) throws IOException;
}
