package io.offhook.cluster.command;

import io.offhook.cli.command.CommandGroup;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import java.util.List;

/** {@code offhook cluster}: what can be done with the events of probes. */
public final class ClusterCommand implements CommandGroup {
    /** The sentence in the help. */
    public static final String SUMMARY = "Make calls of the events of probes, or show the events; docs/CLUSTER.md.";

    /** The group. */
    public ClusterCommand() {}

    @Override
    public List<Nested> nested() {
        return List.of(
                new Nested(
                        "calls",
                        "List the calls that events amount to, as offhook calls does.",
                        EventCallsCommand::new),
                new Nested("events", "Print events as JSON, one a line.", EventsCommand::new));
    }

    @Override
    public void describe(CommandSpec spec) {
        // its commands have the options
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) {
        throw new MisuseException("the command is missing: offhook cluster calls or offhook cluster events");
    }

    /** For its commands. */
    static void describeFiles(CommandSpec spec) {
        spec.addParameters("FILE", "Events that offhook probe --to has written.");
    }

    static List<String> files(ParseResult arguments) {
        return arguments.parametersFrom(0);
    }
}
