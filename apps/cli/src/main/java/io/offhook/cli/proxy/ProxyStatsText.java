package io.offhook.cli.proxy;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The statistics of a proxy, for people. What is zero everywhere is left out. */
final class ProxyStatsText {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int BUSIEST_THREADS = 12;

    private final Terminal terminal;
    private final boolean colored;

    ProxyStatsText(Terminal terminal, boolean colored) {
        this.terminal = terminal;
        this.colored = colored;
    }

    /** All of it. */
    void all(ProxyRecord statistics) throws IOException {
        overview(statistics);
        transactions(statistics);
        messages(statistics);
        delays(statistics);
        causes(statistics);
        machine(statistics);
    }

    /** What {@code top} shows as well. */
    void overview(ProxyRecord statistics) throws IOException {
        ProxyRecord calls = statistics.object("calls");
        StringBuilder text = new StringBuilder("Up ")
                .append(Times.duration(statistics.number("uptimeSeconds") * SECOND_NS))
                .append("; ")
                .append(Decimals.grouped(calls.number("attempts")))
                .append(" call attempts, ")
                .append(Decimals.text(calls.decimal("perSecond"), 1))
                .append(" a second, ")
                .append(Decimals.grouped(calls.number("lastHour")))
                .append(" in the last hour, ")
                .append(Decimals.grouped(calls.number("busiestHour")))
                .append(" in the busiest hour (BHCA)\n");
        text.append("Calls: ").append(counts(calls.object("states"))).append('\n');
        text.append("Ended: ").append(counts(calls.object("outcomes"))).append('\n');
        terminal.out().append(text);
    }

    private static String counts(ProxyRecord counts) {
        List<String> parts = new ArrayList<>();
        for (String name : counts.names()) {
            parts.add(Decimals.grouped(counts.number(name)) + " " + Text.printable(name.replace('_', ' ')));
        }
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    void transactions(ProxyRecord statistics) throws IOException {
        Table table = new Table(List.of(
                Table.Column.key("Transactions", 13),
                Table.Column.number("Running", 90),
                Table.Column.number("Began", 70),
                Table.Column.number("Expired", 80)));
        for (ProxyRecord one : statistics.objects("transactions")) {
            table.row()
                    .cell(one.text("kind").replace('_', ' '))
                    .cell(Decimals.grouped(one.number("running")))
                    .cell(Decimals.grouped(one.number("began")))
                    .cell(Decimals.grouped(one.number("expired")), warning(one.number("expired")));
        }
        print(table);
    }

    private static Style warning(long count) {
        return count > 0 ? Style.WARNING : Style.PLAIN;
    }

    private void print(Table table) throws IOException {
        terminal.out().append('\n');
        table.print(terminal, colored);
    }

    private void messages(ProxyRecord statistics) throws IOException {
        List<ProxyRecord> messages = statistics.objects("messages");
        if (messages.isEmpty()) {
            return;
        }
        Table table = new Table(messageColumns("Message"));
        for (ProxyRecord one : messages) {
            addMessage(table.row(), one);
        }
        print(table);
    }

    private static List<Table.Column> messageColumns(String first) {
        return List.of(
                Table.Column.key(first, 12),
                Table.Column.number("Received", 90),
                Table.Column.number("again", 80),
                Table.Column.number("Sent", 90),
                Table.Column.number("again", 80));
    }

    private static void addMessage(Table.Row row, ProxyRecord one) {
        long status = one.number("status");
        row.cell(status == 0 ? one.text("method") : status + " " + one.text("method"))
                .cell(count(one.number("received")))
                .cell(count(one.number("receivedAgain")), Style.WARNING)
                .cell(count(one.number("sent")))
                .cell(count(one.number("sentAgain")), Style.WARNING);
    }

    private static String count(long number) {
        return number == 0 ? "" : Decimals.grouped(number);
    }

    void delays(ProxyRecord statistics) throws IOException {
        Table table = new Table(List.of(
                Table.Column.key("Time in ms, of the last minute", 16),
                Table.Column.number("Number", 60),
                Table.Column.number("p50", 70),
                Table.Column.number("p99", 90),
                Table.Column.number("p99.9", 80),
                Table.Column.number("Most", 75)));
        addDelay(table, "waiting for a lane", statistics.object("queueDelay"));
        for (ProxyRecord one : statistics.objects("timeInProxy")) {
            addDelay(table, "in the proxy: " + one.text("kind").replace('_', ' '), one.object("delay"));
        }
        for (ProxyRecord hop : statistics.objects("hops")) {
            addDelay(table, hop.text("hop") + " until it rings", hop.object("provisional"));
            addDelay(table, hop.text("hop") + " until it answers", hop.object("final"));
        }
        print(table);
    }

    private static void addDelay(Table table, String name, ProxyRecord delay) {
        if (delay.number("count") == 0) {
            return;
        }
        Table.Row row = table.row().cell(name).cell(Decimals.grouped(delay.number("count")));
        for (String part : List.of("p50Us", "p99Us", "p999Us", "maxUs")) {
            row.cell(Decimals.text(delay.decimal(part) / 1000, 2));
        }
    }

    void causes(ProxyRecord statistics) throws IOException {
        Table table = new Table(List.of(
                Table.Column.text("Counted", 80, 8), Table.Column.key("Cause", 12), Table.Column.number("Times", 90)));
        boolean isAny = false;
        for (ProxyRecord one : statistics.objects("causes")) {
            if (one.number("count") > 0) {
                isAny = true;
                table.row()
                        .cell(one.text("group").replace('_', ' '))
                        .cell(one.text("cause").replace('_', ' '))
                        .cell(Decimals.grouped(one.number("count")), Style.WARNING);
            }
        }
        if (isAny) {
            print(table);
        }
    }

    void sockets(ProxyRecord statistics) throws IOException {
        List<ProxyRecord> sockets = statistics.objects("sockets");
        if (sockets.isEmpty()) {
            return;
        }
        Table table = new Table(List.of(
                Table.Column.key("Socket", 16),
                Table.Column.number("To read", 80),
                Table.Column.number("To send", 60),
                Table.Column.number("Buffer", 70),
                Table.Column.number("asked", 40),
                Table.Column.number("Dropped", 90)));
        for (ProxyRecord one : sockets) {
            table.row()
                    .cell(one.text("name"))
                    .cell(Decimals.grouped(one.number("receiveQueue")))
                    .cell(Decimals.grouped(one.number("sendQueue")))
                    .cell(Decimals.grouped(one.number("receiveBufferGiven")))
                    .cell(Decimals.grouped(one.number("receiveBufferAsked")))
                    .cell(Decimals.grouped(one.number("drops")), one.number("drops") > 0 ? Style.BAD : Style.PLAIN);
        }
        print(table);
    }

    private void machine(ProxyRecord statistics) throws IOException {
        sockets(statistics);
        Table threads = new Table(List.of(
                Table.Column.key("Threads", 15),
                Table.Column.number("Number", 60),
                Table.Column.number("User s", 90),
                Table.Column.number("System s", 85)));
        List<ProxyRecord> all = statistics.objects("threads");
        for (ProxyRecord one : all.subList(0, Math.min(BUSIEST_THREADS, all.size()))) {
            threads.row()
                    .cell(one.text("name"))
                    .cell(one.text("threads"))
                    .cell(Decimals.text(one.number("userMs") / 1e3, 2))
                    .cell(Decimals.text(one.number("systemMs") / 1e3, 2));
        }
        print(threads);
        terminal.out().append('\n').append(memory(statistics)).append('\n');
    }

    /** Heap and pauses, in a line. */
    static String memory(ProxyRecord statistics) {
        ProxyRecord memory = statistics.object("memory");
        StringBuilder text = new StringBuilder("Heap ")
                .append(memory.number("used") >> 20)
                .append(" of ")
                .append(memory.number("committed") >> 20)
                .append(" MB");
        for (ProxyRecord one : statistics.objects("collectors")) {
            if (one.number("pauses") > 0) {
                text.append("; ")
                        .append(Text.printable(one.text("name")))
                        .append(": ")
                        .append(Decimals.grouped(one.number("pauses")))
                        .append(" pauses, ")
                        .append(Decimals.grouped(one.number("totalMs")))
                        .append(" ms in all, at most ")
                        .append(one.number("longestMs"))
                        .append(" ms");
            }
        }
        return text.toString();
    }

    /** Messages by neighbour, and what vanished between it and the proxy. */
    void neighbours(List<ProxyRecord> neighbours) throws IOException {
        if (neighbours.isEmpty()) {
            terminal.out().append("No message yet.\n");
        }
        boolean isFirst = true;
        for (ProxyRecord neighbour : neighbours) {
            terminal.out().append(isFirst ? "" : "\n");
            isFirst = false;
            String name = neighbour.text("neighbour");
            Table table = new Table(messageColumns(name.isEmpty() ? "others" : name));
            for (ProxyRecord one : neighbour.objects("messages")) {
                addMessage(table.row(), one);
            }
            table.print(terminal, colored);
            for (ProxyRecord loss : neighbour.objects("losses")) {
                StringBuilder line = new StringBuilder("  ");
                Style.BAD.append(line, loss(loss), colored);
                terminal.out().append(line.append('\n'));
            }
        }
    }

    private static String loss(ProxyRecord loss) {
        String method = Text.printable(loss.text("method"));
        String what = switch (loss.text("lost")) {
            case "request-or-response" -> method + " to it, or its responses, were lost";
            case "response-to-neighbour" -> "responses to its " + method + " were lost";
            case "success-or-ack" -> "2xx to it, or its ACK, were lost";
            case "ack-to-neighbour" -> "ACK to it were lost";
            default -> Text.printable(loss.text("lost"));
        };
        long unrepaired = loss.number("unrepaired");
        return what + ": " + Decimals.grouped(loss.number("again")) + " sent again"
                + (unrepaired > 0 ? ", " + Decimals.grouped(unrepaired) + " to no effect" : "");
    }
}
