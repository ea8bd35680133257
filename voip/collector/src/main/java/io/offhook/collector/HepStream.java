package io.offhook.collector;

import io.offhook.live.WallClock;
import io.offhook.packet.application.HepReader;
import io.offhook.transport.CloseCause;
import io.offhook.transport.Connection;
import io.offhook.transport.ConnectionHandler;
import org.jspecify.annotations.Nullable;

/**
 * Finds the packets in what came over one connection. They follow each other, each with its length behind its mark; what has
 * neither closes the connection, since no later packet can be found for certain.
 */
final class HepStream implements ConnectionHandler {
    private static final int TOTAL_LENGTH = 4;
    /** The shortest packet: mark and length. */
    private static final int HEADER = 6;

    private final HepGate gate;
    private final HepGate.Counters counters;
    private final WallClock clock;

    /** @param clock of the thread of the connection's loop */
    HepStream(HepGate gate, HepGate.Counters counters, WallClock clock) {
        this.gate = gate;
        this.counters = counters;
        this.clock = clock;
    }

    @Override
    public int received(Connection connection, byte[] octets, int offset, int length) {
        long nowNs = clock.nowNs();
        int at = 0;
        while (length - at >= HEADER) {
            int start = offset + at;
            int total = (octets[start + TOTAL_LENGTH] & 0xff) << 8 | octets[start + TOTAL_LENGTH + 1] & 0xff;
            if (total < HEADER || !HepReader.isMark(mark(octets, start))) {
                counters.streamsClosed.increment();
                connection.close();
                return length;
            }
            if (total > length - at) {
                break;
            }
            gate.packet(octets, start, total, connection.remote(), connection.local(), nowNs);
            at += total;
        }
        return at;
    }

    private static int mark(byte[] octets, int at) {
        return octets[at] << 24 | (octets[at + 1] & 0xff) << 16 | (octets[at + 2] & 0xff) << 8 | octets[at + 3] & 0xff;
    }

    @Override
    public void closed(Connection connection, CloseCause cause, @Nullable String detail) {
        // counted by the loops
    }
}
