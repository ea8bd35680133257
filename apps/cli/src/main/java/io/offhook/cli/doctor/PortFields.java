package io.offhook.cli.doctor;

import io.offhook.cli.terminal.Terminal;
import io.offhook.doctor.PortSocket;
import io.offhook.doctor.PortSocket.Kind;
import io.offhook.doctor.PortWatch;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.util.List;

/** The sockets of watched ports, for programs. */
final class PortFields {
    /** The most connections of a line. */
    private static final int MOST_CONNECTIONS = 1_000;

    private PortFields() {}

    /** Writes UDP sockets and listeners, and the connections in which something waits or changed. */
    static void sockets(JsonFields json, PortWatch ports) {
        json.array("sockets");
        int connections = 0;
        for (PortSocket socket : ports.sockets()) {
            boolean isBusy = socket.hasChanged()
                    || socket.receive().waiting() > 0
                    || socket.send().waiting() > 0;
            if (socket.kind() != Kind.CONNECTION || isBusy && connections++ < MOST_CONNECTIONS) {
                socket(json, socket);
            }
        }
        json.end();
    }

    /** Writes the line at the end. */
    static void totals(long atNs, PortWatch ports, long lost, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().time("at", atNs).field("lost", lost).array("totals");
            List<PortSocket> totals = ports.totals();
            int connections = 0;
            for (PortSocket socket : totals) {
                if (socket.kind() != Kind.CONNECTION || connections++ < MOST_CONNECTIONS) {
                    socket(json, socket);
                }
            }
            json.end()
                    .field("closedConnections", ports.closedConnections())
                    .field("closedRetransmissions", ports.closedRetransmissions())
                    .end();
        }
    }

    private static void socket(JsonFields json, PortSocket socket) {
        json.object()
                .field("kind", DoctorFields.word(socket.kind()))
                .field("local", socket.local())
                .field("remote", socket.remote().isEmpty() ? null : socket.remote())
                .field("state", socket.state() == null ? null : DoctorFields.word(socket.state()))
                .field("process", socket.process());
        if (socket.pid() == 0) {
            json.nullField("pid");
        } else {
            json.field("pid", socket.pid());
        }
        queue(json, "receive", socket.receive());
        if (socket.kind() == Kind.LISTENER) {
            json.noObject("send");
        } else {
            queue(json, "send", socket.send());
        }
        json.field("drops", socket.drops())
                .field("dropsGrown", socket.dropsGrown())
                .field("retransmissions", socket.retransmissions())
                .field("retransmissionsGrown", socket.retransmissionsGrown());
        if (socket.roundTripUs() == 0) {
            json.nullField("roundTripMs");
        } else {
            json.field("roundTripMs", socket.roundTripUs() / 1000.0, 3);
        }
        json.end();
    }

    private static void queue(JsonFields json, String name, PortSocket.Queue queue) {
        json.object(name)
                .field("waiting", queue.waiting())
                .field("before", queue.before())
                .field("most", queue.most())
                .field("limit", queue.limit())
                .end();
    }
}
