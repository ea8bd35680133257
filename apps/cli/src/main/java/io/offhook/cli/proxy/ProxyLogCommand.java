package io.offhook.cli.proxy;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.util.List;

/**
 * {@code offhook proxy log sip=debug for 10 m} and {@code offhook proxy trace caller=alice}: what the running proxy logs.
 */
final class ProxyLogCommand implements Command {
    private static final long SECOND_NS = 1_000_000_000L;

    private final String name;

    ProxyLogCommand(String name) {
        this.name = name;
    }

    @Override
    public void describe(CommandSpec spec) {
        if (name.equals("log")) {
            spec.addOptionalParameters(
                    "SETTING",
                    "CATEGORY=LEVEL, one or more: sip=debug, all=warning; \"for 10 m\" behind them: for that time only."
                            + " Or reopen: open the files of log and call records again, after they were moved away."
                            + " Without it, the levels are shown.");
        } else {
            spec.addOptionalParameters(
                    "SETTING",
                    "caller=PATTERN, callee=PATTERN or call-id=PATTERN, in which * stands for any text; calls=N,"
                            + " messages=N and bytes=N for the most of them; \"for 10 m\" for the time. Or off. Without it, the trace"
                            + " that runs is shown.");
        }
        ProxyConnection.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        return ProxyConnection.run(arguments, terminal, connection -> {
            List<ProxyRecord> records = connection.ask(name, arguments.parametersFrom(0));
            if (output.format() == Format.JSON) {
                try (JsonFields json = terminal.json()) {
                    write(records, json);
                }
            } else if (name.equals("log")) {
                levels(records, terminal, terminal.isColored(output.color()));
            } else {
                trace(records, terminal);
            }
        });
    }

    private void write(List<ProxyRecord> records, JsonFields json) {
        if (name.equals("trace")) {
            ProxyRecord.write(json, "traces", records);
            return;
        }
        json.object().array("levels");
        for (ProxyRecord one : records.subList(0, Math.max(0, records.size() - 1))) {
            json.line().object();
            one.write(json);
            json.end();
        }
        json.line().end().object("messages");
        if (!records.isEmpty()) {
            records.getLast().write(json);
        }
        json.end().end();
    }

    private static void levels(List<ProxyRecord> records, Terminal terminal, boolean colored) throws IOException {
        Table table = new Table(
                List.of(Table.Column.key("Category", 10), Table.Column.key("Level", 8), Table.Column.text("", 50, 10)));
        for (ProxyRecord level : records.subList(0, Math.max(0, records.size() - 1))) {
            long left = level.number("secondsLeft");
            table.row()
                    .cell(level.text("category"))
                    .cell(level.text("level"), left > 0 ? Style.WARNING : Style.PLAIN)
                    .cell(left > 0 ? level.text("returnsTo") + " again in " + Times.duration(left * SECOND_NS) : "");
        }
        table.print(terminal, colored);
        if (!records.isEmpty()) {
            ProxyRecord counts = records.getLast();
            terminal.out()
                    .append('\n')
                    .append(Decimals.grouped(counts.number("written")))
                    .append(" written, ")
                    .append(Decimals.grouped(counts.number("dropped")))
                    .append(" dropped, ")
                    .append(Decimals.grouped(counts.number("refused")))
                    .append(" refused by the disk.\n");
        }
    }

    private static void trace(List<ProxyRecord> records, Terminal terminal) throws IOException {
        if (records.isEmpty()) {
            terminal.out().append("No trace runs.\n");
        }
        for (ProxyRecord one : records) {
            terminal.out()
                    .append(Text.printable(one.text("part") + "=" + one.text("pattern")))
                    .append(": " + one.number("messages") + " messages (" + Decimals.grouped(one.number("bytes"))
                            + " bytes) of " + one.number("calls") + " calls, ")
                    .append(Times.duration(one.number("secondsLeft") * SECOND_NS))
                    .append(" left.\n");
        }
    }
}
