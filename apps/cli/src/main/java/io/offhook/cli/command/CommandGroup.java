package io.offhook.cli.command;

import java.util.List;
import java.util.function.Supplier;

/** A command that has commands of its own: {@code offhook proxy calls} is one of {@code offhook proxy}. */
public interface CommandGroup extends Command {

    /** Its commands, in the order of the help. */
    List<Nested> nested();

    /**
     * A command of a group.
     *
     * @param name as typed: "calls"
     * @param summary the sentence in the help
     * @param maker makes it; the class of a command is loaded only when it runs
     */
    record Nested(String name, String summary, Supplier<Command> maker) {}
}
