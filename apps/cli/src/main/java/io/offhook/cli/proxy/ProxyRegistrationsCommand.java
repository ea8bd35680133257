package io.offhook.cli.proxy;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.proxy.control.LiveCommands;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code offhook proxy registrations}: the bindings of the registrar of a proxy that runs. */
final class ProxyRegistrationsCommand implements Command {
    private static final long MS = 1_000_000;

    @Override
    public void describe(CommandSpec spec) {
        spec.addOption(
                "--with", "TEXT", String.class, "Only bindings whose address of record or contact contains this text.");
        spec.addOption(
                "--limit",
                "N",
                Integer.class,
                "At most so many (default 1000, at most " + LiveCommands.MOST_LINES + ").");
        ProxyConnection.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        List<String> words = new ArrayList<>();
        ProxyCallsCommand.addSelection(arguments, words);
        return ProxyConnection.run(arguments, terminal, connection -> {
            List<ProxyRecord> bindings = connection.ask("registrations", words);
            if (output.format() == Format.JSON) {
                try (JsonFields json = terminal.json()) {
                    ProxyRecord.write(json, "registrations", bindings);
                }
                return;
            }
            print(bindings, output, terminal);
        });
    }

    private static void print(List<ProxyRecord> bindings, OutputOptions output, Terminal terminal) throws IOException {
        if (!bindings.isEmpty()) {
            Table table = new Table(List.of(
                    Table.Column.key("Address of record", 20),
                    Table.Column.key("Contact", 20),
                    Table.Column.number("Expires in", 70),
                    Table.Column.number("q", 30),
                    Table.Column.text("From", 50, 12),
                    Table.Column.time("Registered", 45),
                    Table.Column.text("User-Agent", 40, 8)));
            long nowMs = Times.epochNs() / MS;
            for (ProxyRecord binding : bindings) {
                long leftMs = binding.number("expiresMs") - nowMs;
                table.row()
                        .cell(binding.text("addressOfRecord"))
                        .cell(binding.text("contact"))
                        .cell(
                                leftMs <= 0 ? "over" : Times.duration(leftMs * MS),
                                leftMs <= 0 ? Style.WARNING : Style.PLAIN)
                        .cell(Decimals.shortest(binding.decimal("q"), 3))
                        .cell(binding.text("source"))
                        .cell(output.times().timeOfDay(binding.number("registeredMs") * MS))
                        .cell(binding.text("userAgent"));
            }
            table.print(terminal, terminal.isColored(output.color()));
            terminal.out().append('\n');
        }
        terminal.out().append(Words.count(bindings.size(), "binding")).append(".\n");
    }
}
