package io.offhook.cli.proxy;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.ladder.HopLadder;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;

/** {@code offhook proxy call ID}: one call of a proxy that runs, and the messages that it remembers of it. */
final class ProxyCallCommand implements Command {
    private static final long MS = 1_000_000;
    private static final long US = 1_000;

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter("ID", "The Call-ID, as offhook proxy calls lists it.");
        ProxyConnection.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        return ProxyConnection.run(arguments, terminal, connection -> {
            List<ProxyRecord> found = connection.ask("call", List.of(arguments.parameter(0)));
            for (ProxyRecord call : found) {
                if (output.format() == Format.JSON) {
                    try (JsonFields json = terminal.json()) {
                        json.object();
                        call.write(json);
                        json.end();
                    }
                } else {
                    print(call, output, terminal);
                }
            }
        });
    }

    private static void print(ProxyRecord call, OutputOptions output, Terminal terminal) throws IOException {
        boolean colored = terminal.isColored(output.color());
        StringBuilder head = new StringBuilder();
        Style.HEADING.append(head, Text.printable(call.text("callId")), colored);
        if (call.text("caller").isEmpty() && call.text("state").equals("ended")) {
            head.append("\nhas ended\n");
        } else {
            parties(call, output, head);
        }
        terminal.out().append(head);
        List<ProxyRecord> messages = call.objects("messages");
        if (messages.isEmpty()) {
            return;
        }
        HopLadder ladder = new HopLadder();
        for (ProxyRecord message : messages) {
            ladder.add(
                    message.text("from"),
                    message.text("to"),
                    new HopLadder.Message(
                            message.number("atUs") * US,
                            message.text("method"),
                            (int) message.number("status"),
                            message.isTrue("repeated")));
        }
        terminal.out().append('\n');
        if (call.number("messagesLeftOut") > 0) {
            terminal.out()
                    .append(Words.count(call.number("messagesLeftOut"), "message"))
                    .append(" before are not remembered.\n");
        }
        int width = terminal.isTerminal() ? terminal.width() : Terminal.DEFAULT_WIDTH;
        terminal.out().append(ladder.text(output.times(), width, colored, terminal.isUnicode()));
    }

    private static void parties(ProxyRecord call, OutputOptions output, StringBuilder head) {
        head.append('\n')
                .append(Text.printable(call.text("caller")))
                .append(" calls ")
                .append(Text.printable(call.text("callee")))
                .append(": ")
                .append(call.text("state"));
        if (call.number("status") != 0) {
            head.append(", ").append(call.number("status"));
        }
        head.append("\nfrom ").append(call.text("source"));
        if (!call.text("target").isEmpty()) {
            head.append(" to ").append(call.text("target"));
        }
        head.append(", lane ").append(call.number("lane")).append(", since ");
        head.append(output.times().timeOfDay(call.number("startedMs") * MS)).append('\n');
    }
}
