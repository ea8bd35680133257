package io.offhook.cli.doctor;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Table.Column;
import io.offhook.cli.terminal.Terminal;
import io.offhook.doctor.PortSocket;
import io.offhook.doctor.PortSocket.Kind;
import io.offhook.doctor.PortWatch;
import io.offhook.linux.network.TcpSocket;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The sockets of watched ports, for people. */
final class PortText {
    /** The most connections of one check, and of the totals: a server may have many thousands. */
    static final int MOST_CONNECTIONS = 20;

    private PortText() {}

    /** The state of a socket as part of a line: {@code 4,608 of 212,992 bytes to receive, 0 of 212,992 to send}. */
    static String state(PortSocket socket) {
        if (socket.kind() == Kind.LISTENER) {
            return level(socket.receive()) + " connections to accept";
        }
        TcpSocket.State state = socket.state();
        boolean isUsual = state == null || state == TcpSocket.State.ESTABLISHED;
        StringBuilder text = new StringBuilder(isUsual || state == null ? "" : DoctorFields.word(state) + ", ")
                .append(level(socket.receive()))
                .append(" bytes to receive, ")
                .append(level(socket.send()))
                .append(" to send");
        if (socket.retransmissionsGrown() > 0) {
            text.append(", ")
                    .append(Words.count(socket.retransmissionsGrown(), "segment"))
                    .append(" sent again");
        }
        if (socket.roundTripUs() > 0) {
            text.append(", round trip ")
                    .append(Decimals.shortest(socket.roundTripUs() / 1000.0, 1))
                    .append(" ms");
        }
        return text.toString();
    }

    private static String level(PortSocket.Queue queue) {
        return Decimals.grouped(queue.waiting()) + (queue.limit() > 0 ? " of " + Decimals.grouped(queue.limit()) : "");
    }

    /** All UDP sockets and listeners, and the first connections. */
    static List<PortSocket> first(List<PortSocket> sockets) {
        List<PortSocket> first = new ArrayList<>();
        int connections = 0;
        for (PortSocket socket : sockets) {
            if (socket.kind() != Kind.CONNECTION || connections++ < MOST_CONNECTIONS) {
                first.add(socket);
            }
        }
        return first;
    }

    /** The table at the end. */
    static void totals(PortWatch ports, Terminal terminal, boolean colored) throws IOException {
        List<PortSocket> totals = ports.totals();
        List<PortSocket> first = first(totals);
        Table table = new Table(List.of(
                Column.key("socket", 24),
                Column.text("program", 50, 10),
                Column.number("most to receive", 90),
                Column.number("limit", 70),
                Column.number("most to send", 85),
                Column.number("limit", 60),
                Column.number("dropped", 95),
                Column.number("sent again", 80)));
        for (PortSocket socket : first) {
            boolean isUdp = socket.kind() == Kind.UDP;
            boolean isListener = socket.kind() == Kind.LISTENER;
            table.row()
                    .cell((isUdp ? "UDP " : isListener ? "TCP listening at " : "TCP ")
                            + socket.local()
                            + (socket.remote().isEmpty() ? "" : " to " + socket.remote()))
                    .cell(socket.process() == null ? "" : socket.process() + " (" + socket.pid() + ")")
                    .cell(Decimals.grouped(socket.receive().most()))
                    .cell(limit(socket.receive()))
                    .cell(isListener ? "" : Decimals.grouped(socket.send().most()))
                    .cell(limit(socket.send()))
                    .cell(
                            Decimals.grouped(socket.dropsGrown()),
                            socket.dropsGrown() > 0 && socket.kind() != Kind.CONNECTION ? Style.BAD : Style.PLAIN)
                    .cell(isUdp || isListener ? "" : Decimals.grouped(socket.retransmissionsGrown()));
        }
        if (!table.isEmpty()) {
            table.print(terminal, colored);
        }
        if (totals.size() > first.size()) {
            terminal.out().append("and " + Words.count(totals.size() - (long) first.size(), "connection") + " more\n");
        }
        if (ports.closedConnections() > 0) {
            terminal.out()
                    .append(Words.count(ports.closedConnections(), "connection") + " ended, which sent "
                            + Words.count(ports.closedRetransmissions(), "segment") + " again\n");
        }
    }

    private static String limit(PortSocket.Queue queue) {
        return queue.limit() == 0 ? "" : Decimals.grouped(queue.limit());
    }
}
