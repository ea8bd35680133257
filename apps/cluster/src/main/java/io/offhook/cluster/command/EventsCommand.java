package io.offhook.cluster.command;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cluster.codec.EventText;
import io.offhook.cluster.event.Event;
import java.io.IOException;
import java.io.Writer;

/** {@code offhook cluster events FILE...}: what crosses the wire, to be looked at. */
final class EventsCommand implements Command {
    @Override
    public void describe(CommandSpec spec) {
        ClusterCommand.describeFiles(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OpenEvents files = new OpenEvents(terminal);
        Writer out = terminal.out();
        files.read(ClusterCommand.files(arguments), file -> {
            for (Event event = file.next(); event != null; event = file.next()) {
                out.append(EventText.json(event)).append('\n');
            }
        });
        terminal.flush();
        return files.code();
    }
}
