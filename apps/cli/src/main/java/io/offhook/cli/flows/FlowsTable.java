package io.offhook.cli.flows;

import io.offhook.analysis.CaptureReport;
import io.offhook.cli.input.CaptureSummary;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.flow.table.Flow;
import io.offhook.flow.tcp.TcpFlow;
import io.offhook.flow.tcp.TcpSign;
import io.offhook.flow.tcp.TcpState;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** A table of flows. */
final class FlowsTable {
    private final FlowsReport report;
    private final Times times;

    FlowsTable(FlowsReport report, Times times) {
        this.report = report;
        this.times = times;
    }

    void print(List<FlowsReport.Line> lines, Terminal terminal, boolean colored) throws IOException {
        Writer out = terminal.out();
        if (!lines.isEmpty()) {
            Table table = new Table(columns());
            for (FlowsReport.Line line : lines) {
                add(table, line);
            }
            table.print(terminal, colored);
            out.append('\n');
        }
        List<CaptureReport.Counter> counters = report.counters();
        out.append(Words.count(lines.size(), "flow"))
                .append(".\n")
                .append(Words.count(report.packets(), "packet"))
                .append(report.packets() > 0 ? " in " + CaptureSummary.span(report.spanNs()) : "")
                .append(counters.isEmpty() ? "; nothing dropped.\n" : ".\n");
        CaptureSummary.counters(counters, terminal);
    }

    private static List<Table.Column> columns() {
        return List.of(
                Table.Column.text("Protocol", 90, 4),
                Table.Column.key("Source", 21),
                Table.Column.key("Destination", 21),
                Table.Column.number("Packets", 85),
                Table.Column.number("Bytes", 90),
                Table.Column.number("Forward", 57),
                Table.Column.number("Reverse", 57),
                Table.Column.time("Begins", 45),
                Table.Column.number("Span", 55),
                Table.Column.text("State", 65, 8),
                Table.Column.number("RTT ms", 58),
                Table.Column.number("Sent again", 50),
                Table.Column.text("Path", 40, 8));
    }

    private void add(Table table, FlowsReport.Line line) {
        Flow flow = line.flow();
        Table.Row row = table.row()
                .cell(protocol(flow))
                .cell(FlowsCommand.endText(flow, flow.source()))
                .cell(FlowsCommand.endText(flow, flow.destination()))
                .cell(Decimals.grouped(flow.packets()))
                .cell(Decimals.grouped(flow.bytes()))
                .cell(Decimals.grouped(flow.forwardPackets()))
                .cell(Decimals.grouped(flow.reversePackets()))
                .cell(times.timeOfDay(flow.earliestNs()))
                .cell(CaptureSummary.span(flow.latestNs() - flow.earliestNs()));
        TcpFlow tcp = flow.tcp();
        if (tcp == null) {
            row.cell("").cell("").cell("");
        } else {
            int again = sentAgain(tcp);
            boolean isBad = tcp.state() == TcpState.RESET || tcp.state() == TcpState.SYN_SENT;
            row.cell(tcp.state().label(), isBad ? Style.WARNING : Style.PLAIN)
                    .cell(tcp.isHandshakeSeen() ? Decimals.text(tcp.handshakeRoundTripNs() / 1e6, 2) : "")
                    .cell(again == 0 ? "" : Decimals.grouped(again), Style.WARNING);
        }
        row.cell(flow.key().path().toString());
    }

    private static String protocol(Flow flow) {
        String name = flow.key().protocolName();
        return FlowFields.isIcmp(flow.key()) && flow.key().hasPorts()
                ? name + " " + flow.key().source().port()
                : name;
    }

    private static int sentAgain(TcpFlow tcp) {
        return tcp.count(TcpSign.RETRANSMISSION)
                + tcp.count(TcpSign.FAST_RETRANSMISSION)
                + tcp.count(TcpSign.SPURIOUS_RETRANSMISSION);
    }
}
