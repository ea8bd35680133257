package io.offhook.cli.proxy;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.proxy.control.LiveCommands;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code offhook proxy calls}: the calls of a proxy that runs. */
final class ProxyCallsCommand implements Command {
    private static final long MS = 1_000_000;

    /** The values of {@code --state}. */
    private enum State {
        TRYING,
        RINGING,
        ANSWERED,
        ENDING;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.addOption(
                "--state", "STATE", State.class, "Only calls in this state: trying, ringing, answered or ending.");
        spec.addOption(
                "--with", "TEXT", String.class, "Only calls whose caller, callee or Call-ID contains this text.");
        spec.addOption(
                "--limit",
                "N",
                Integer.class,
                "At most so many, the oldest first (default 1000, at most " + LiveCommands.MOST_LINES + ").");
        ProxyConnection.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        List<String> words = new ArrayList<>();
        State state = arguments.optionValue("--state", State.class);
        if (state != null) {
            words.add("state=" + state);
        }
        addSelection(arguments, words);
        return ProxyConnection.run(arguments, terminal, connection -> {
            List<ProxyRecord> calls = connection.ask("calls", words);
            if (output.format() == Format.JSON) {
                try (JsonFields json = terminal.json()) {
                    ProxyRecord.write(json, "calls", calls);
                }
                return;
            }
            print(calls, output, terminal);
        });
    }

    /** The words of {@code --with} and {@code --limit}. */
    static void addSelection(ParseResult arguments, List<String> words) {
        String with = arguments.optionValue("--with", String.class);
        if (with != null) {
            words.add("with=" + with);
        }
        Integer limit = arguments.optionValue("--limit", Integer.class);
        if (limit != null) {
            words.add("limit=" + limit);
        }
    }

    private static void print(List<ProxyRecord> calls, OutputOptions output, Terminal terminal) throws IOException {
        if (!calls.isEmpty()) {
            Table table = new Table(List.of(
                    Table.Column.time("Started", 60),
                    Table.Column.text("State", 80, 8),
                    Table.Column.number("Status", 50),
                    Table.Column.key("Caller", 20),
                    Table.Column.key("Callee", 20),
                    Table.Column.number("Talk", 70),
                    Table.Column.text("From", 40, 12),
                    Table.Column.text("To", 45, 12),
                    Table.Column.text("Call-ID", 65, 12)));
            long nowMs = Times.epochNs() / MS;
            for (ProxyRecord call : calls) {
                long answeredMs = call.number("answeredMs");
                table.row()
                        .cell(output.times().timeOfDay(call.number("startedMs") * MS))
                        .cell(call.text("state"))
                        .cell(call.number("status") == 0 ? "" : call.text("status"))
                        .cell(call.text("caller"))
                        .cell(call.text("callee"))
                        .cell(answeredMs == 0 ? "" : Times.duration(Math.max(0, nowMs - answeredMs) * MS))
                        .cell(call.text("source"))
                        .cell(call.text("target"))
                        .cell(call.text("callId"));
            }
            table.print(terminal, terminal.isColored(output.color()));
            terminal.out().append('\n');
        }
        terminal.out().append(Words.count(calls.size(), "call")).append(".\n");
    }
}
