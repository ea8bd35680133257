package io.offhook.cli.command;

import io.offhook.cli.terminal.Terminal;
import java.io.IOException;

/** A subcommand of {@code offhook}: its options and its work. */
public interface Command {

    /** Adds options and parameters to a specification that already has name and summary; {@code --help} is added later. */
    void describe(CommandSpec spec);

    /**
     * Runs the command.
     *
     * @param arguments checked against what {@link #describe} declared
     * @return an {@link ExitCode}
     * @throws MisuseException if the arguments contradict each other
     * @throws IOException if the output cannot be written; the command itself reports input that cannot be read
     */
    int run(ParseResult arguments, Terminal terminal) throws IOException;
}
