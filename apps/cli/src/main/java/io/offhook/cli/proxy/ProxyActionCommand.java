package io.offhook.cli.proxy;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;

/** {@code offhook proxy ban}, {@code unban}, {@code reload} and {@code stop}: what changes a proxy that runs. */
final class ProxyActionCommand implements Command {
    private static final long MS = 1_000_000;

    private final String name;

    ProxyActionCommand(String name) {
        this.name = name;
    }

    @Override
    public void describe(CommandSpec spec) {
        switch (name) {
            case "ban" ->
                spec.addOptionalParameters(
                        "ADDRESS",
                        "An IP address whose messages are ignored; \"for 10 m\" behind it: for that time, by default an"
                                + " hour. Without it, the banned ones are listed.");
            case "unban" -> spec.addParameter("ADDRESS", "A banned address.");
            case "stop" ->
                spec.addOptionalParameters(
                        "now", "At once. Without it, calls in the making and answers in flight are waited for.");
            default -> {
                // reload takes nothing
            }
        }
        ProxyConnection.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        List<String> words = arguments.parametersFrom(0);
        return ProxyConnection.run(arguments, terminal, connection -> {
            boolean isList = name.equals("ban");
            List<ProxyRecord> records = isList && words.isEmpty() ? List.of() : connection.ask(name, words);
            if (isList) {
                records = connection.ask("bans", List.of());
            }
            if (output.format() == Format.JSON) {
                try (JsonFields json = terminal.json()) {
                    ProxyRecord.write(json, isList ? "bans" : "changes", records);
                }
            } else if (isList) {
                bans(records, output, terminal);
            } else {
                for (ProxyRecord change : records) {
                    terminal.out()
                            .append(Text.printable(change.text("changed")))
                            .append('\n');
                }
                terminal.out().append(done(records.size())).append('\n');
            }
        });
    }

    private String done(int changes) {
        return switch (name) {
            case "reload" ->
                changes == 0 ? "Nothing has changed." : "In force: " + Words.count(changes, "change") + ".";
            case "stop" -> "The proxy ends.";
            default -> "Done.";
        };
    }

    private static void bans(List<ProxyRecord> bans, OutputOptions output, Terminal terminal) throws IOException {
        if (!bans.isEmpty()) {
            Table table = new Table(List.of(
                    Table.Column.key("Address", 15),
                    Table.Column.time("Until", 60),
                    Table.Column.number("For another", 70),
                    Table.Column.number("Ignored", 65),
                    Table.Column.text("Reason", 80, 10)));
            long nowMs = Times.epochNs() / MS;
            for (ProxyRecord ban : bans) {
                table.row()
                        .cell(ban.text("address"))
                        .cell(output.times().timeOfDay(ban.number("untilMs") * MS))
                        .cell(Times.duration(Math.max(0, ban.number("untilMs") - nowMs) * MS))
                        .cell(Decimals.grouped(ban.number("refused")))
                        .cell(ban.text("reason"));
            }
            table.print(terminal, terminal.isColored(output.color()));
            terminal.out().append('\n');
        }
        terminal.out().append(Words.count(bans.size(), "ban")).append(".\n");
    }
}
