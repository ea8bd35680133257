package io.offhook.cli.command;

import java.util.List;
import java.util.function.Supplier;

/** A command that has commands of its own: {@code offhook proxy calls} is one of {@code offhook proxy}. */
public interface CommandGroup extends Command {

    /** Its commands, in the order of the help. */
    List<Nested> nested();

    /**
     * Whether the command itself has parameters. Then a first word that is none of its commands is a parameter, and what is
     * called like a command is named behind {@code --}.
     */
    default boolean hasParameters() {
        return false;
    }

    /**
     * A command of a group.
     *
     * @param name as typed: "calls"
     * @param summary the sentence in the help
     * @param maker makes it; the class of a command is loaded only when it runs
     */
    record Nested(String name, String summary, Supplier<Command> maker) {}
}
