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
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;

/** {@code offhook proxy groups}: the groups of next hops of a proxy that runs, and the state of their members. */
final class ProxyGroupsCommand implements Command {
    private static final long MS = 1_000_000;

    @Override
    public void describe(CommandSpec spec) {
        ProxyConnection.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        return ProxyConnection.run(arguments, terminal, connection -> {
            List<ProxyRecord> groups = connection.ask("groups", List.of());
            if (output.format() == Format.JSON) {
                try (JsonFields json = terminal.json()) {
                    ProxyRecord.write(json, "groups", groups);
                }
                return;
            }
            print(groups, output, terminal);
        });
    }

    private static void print(List<ProxyRecord> groups, OutputOptions output, Terminal terminal) throws IOException {
        if (!groups.isEmpty()) {
            Table table = new Table(List.of(
                    Table.Column.key("Group", 20),
                    Table.Column.key("Member", 20),
                    Table.Column.text("State", 80, 8),
                    Table.Column.number("For", 60),
                    Table.Column.number("Priority", 40),
                    Table.Column.number("Weight", 40),
                    Table.Column.number("OPTIONS", 50),
                    Table.Column.number("Failed", 50),
                    Table.Column.text("Last", 50, 4)));
            for (ProxyRecord group : groups) {
                group.objects("members").forEach(member -> row(table, group.text("group"), member));
            }
            table.print(terminal, terminal.isColored(output.color()));
            terminal.out().append('\n');
        }
        for (ProxyRecord group : groups) {
            events(group, terminal);
        }
        terminal.out().append(Words.count(groups.size(), "group")).append(".\n");
    }

    private static void row(Table table, String group, ProxyRecord member) {
        String state = member.text("state");
        long untilMs = member.number("untilMs");
        long leftMs = Math.max(0, untilMs - Times.epochNs() / MS);
        boolean isAsked = member.isTrue("isAsked");
        table.row()
                .cell(group)
                .cell(member.text("uri"))
                .cell(state, state.equals("usable") ? Style.PLAIN : Style.WARNING)
                .cell(untilMs == 0 ? "" : Times.duration(leftMs * MS))
                .cell(member.text("priority"))
                .cell(member.text("weight"))
                .cell(isAsked ? member.text("optionsSent") : "")
                .cell(isAsked ? member.text("optionsFailed") : "")
                .cell(last(member));
    }

    private static String last(ProxyRecord member) {
        String status = member.text("lastStatus");
        return status.equals("0") ? "none" : status;
    }

    /** What calls met, of a group that had to do something about it. */
    private static void events(ProxyRecord group, Terminal terminal) throws IOException {
        long failovers = group.number("failovers");
        long lastResorts = group.number("lastResorts");
        long exhausted = group.number("exhausted");
        if (failovers + lastResorts + exhausted > 0) {
            terminal.out()
                    .append(Text.printable(group.text("group")))
                    .append(": ")
                    .append(Words.count(failovers, "failover"))
                    .append(", ")
                    .append(Words.count(lastResorts, "last resort"))
                    .append(", ")
                    .append(Words.count(exhausted, "call"))
                    .append(" without a member left.\n");
        }
    }
}
