package io.offhook.cli.threads;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.linux.lanes.LaneReport;
import io.offhook.monitor.LaneRow;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;

/** The lanes that a process publishes, as a table below its threads, in the order in which they began. */
final class LanesTable {
    private static final double NS_A_MS = 1e6;

    /** From here on a queue is nearly full. */
    private static final double FULL = 0.75;

    /** Heading, names of the columns, and an empty line. */
    private static final int OTHER_LINES = 3;

    private final Terminal terminal;
    private final boolean colored;
    private final boolean isWhole;

    LanesTable(Terminal terminal, boolean colored) {
        this(terminal, colored, false);
    }

    private LanesTable(Terminal terminal, boolean colored, boolean isWhole) {
        this.terminal = terminal;
        this.colored = colored;
        this.isWhole = isWhole;
    }

    /** Of a whole recording: the duty cycle is that of the busiest reading, beside the mean, and rates are means. */
    static LanesTable ofRecording(Terminal terminal, boolean colored) {
        return new LanesTable(terminal, colored, true);
    }

    /** The lines that it takes. */
    static int lines(List<LaneRow> lanes) {
        return lanes.isEmpty() ? 0 : lanes.size() + OTHER_LINES;
    }

    /** Appends the table; nothing if there are no lanes. */
    void print(List<LaneRow> lanes, long unpublished, StringBuilder text) throws IOException {
        if (lanes.isEmpty()) {
            return;
        }
        text.append("\nLanes, by what they publish; a stall is more than 10 ms of work without a poll")
                .append(unpublished > 0 ? "; " + Words.count(unpublished, "lane") + " more had no room" : "")
                .append('\n');
        Table table = new Table(List.of(
                Table.Column.key("Lane", 15),
                Table.Column.number("Id", 50),
                Table.Column.number(isWhole ? "Peak %" : "Duty %", 90),
                Table.Column.number("Mean", 80),
                Table.Column.number("Frames/s", 88),
                Table.Column.number("Frames", 60),
                Table.Column.number("Lost", 87),
                Table.Column.number("Stalls", 75),
                Table.Column.number("Longest ms", 74),
                Table.Column.number("Pinned", 65),
                Table.Column.number("Core", 64),
                Table.Column.number("Most", 55),
                Table.Column.text("Queue", 70, 12),
                Table.Column.text("State", 40, 8)));
        lanes.forEach(lane -> add(table, lane));
        table.print(text, terminal, colored);
    }

    private void add(Table table, LaneRow lane) {
        LaneReport report = lane.report();
        LaneReport.Queue queue = report.queue();
        boolean isOver = report.state() == LaneReport.State.ENDED;
        double duty = lane.last().duty();
        double mean = lane.total().duty();
        table.row()
                .cell(Text.printable(report.name()), isOver ? Style.FAINT : Style.PLAIN)
                .cell(Integer.toString(report.nativeId()))
                .cell(
                        !report.isMetered() || Double.isNaN(duty) ? null : ThreadsTable.percent(duty),
                        duty >= ThreadsTable.MUCH ? Style.WARNING : Style.PLAIN)
                .cell(!report.isMetered() || Double.isNaN(mean) ? null : ThreadsTable.percent(mean))
                .cell(Decimals.grouped(Math.round((isWhole ? lane.total() : lane.last()).frameRate())))
                .cell(Decimals.grouped(report.frames()))
                .cell(Decimals.grouped(report.drops()), report.drops() > 0 ? Style.BAD : Style.PLAIN)
                .cell(Decimals.grouped(report.stalls()), report.stalls() > 0 ? Style.WARNING : Style.PLAIN)
                .cell(Decimals.text(report.longestStallNs() / NS_A_MS, 1))
                .cell(
                        report.pinnedTo() < 0 ? null : Integer.toString(report.pinnedTo()),
                        lane.isOutOfPlace() ? Style.BAD : Style.PLAIN)
                .cell(lane.processor() < 0 ? null : Integer.toString(lane.processor()))
                .cell(queue == null ? null : Decimals.grouped(queue.most()))
                .cell(
                        queue == null
                                ? null
                                : Decimals.grouped(queue.depth()) + " of " + Decimals.grouped(queue.room()) + " "
                                        + Text.printable(queue.what()),
                        queue != null && queue.most() >= FULL * queue.room() ? Style.WARNING : Style.PLAIN)
                .cell(state(report));
    }

    private static String state(LaneReport report) {
        return switch (report.state()) {
            case ENDED -> "ended";
            case WAITING -> "waits";
            case WORKING -> "works";
        };
    }
}
