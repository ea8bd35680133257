package io.offhook.cli.proxy;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.util.List;

/** {@code offhook proxy stats}: what a proxy that runs counts; with {@code --messages}, by neighbour. */
final class ProxyStatsCommand implements Command {

    @Override
    public void describe(CommandSpec spec) {
        spec.addFlag(
                "--messages",
                "Messages of each neighbour by method and status: received, sent, repeated, and what vanished.");
        ProxyConnection.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        boolean isMessages = arguments.hasMatchedOption("--messages");
        return ProxyConnection.run(arguments, terminal, connection -> {
            List<ProxyRecord> records = connection.ask("stats", isMessages ? List.of("messages") : List.of());
            if (output.format() == Format.JSON) {
                write(records, isMessages, terminal);
                return;
            }
            ProxyStatsText text = new ProxyStatsText(terminal, terminal.isColored(output.color()));
            if (isMessages) {
                text.neighbours(records);
            } else {
                for (ProxyRecord statistics : records) {
                    text.all(statistics);
                }
            }
        });
    }

    private static void write(List<ProxyRecord> records, boolean isMessages, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            if (isMessages) {
                ProxyRecord.write(json, "neighbours", records);
            } else {
                json.object().object("statistics");
                for (ProxyRecord statistics : records) {
                    statistics.write(json);
                }
                json.end().end();
            }
        }
    }
}
