package io.offhook.flow.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.AllocatedBytes;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Segments that come in their turn, and those of unknown and ignored connections, cost no allocation. */
class TcpAllocationTest {
    private static final int PAYLOAD = 1400;
    private static final int ROUNDS = 100;
    private static final int ALL_ROUNDS = AllocatedBytes.RUNS * ROUNDS;

    private final MemorySegment frame = Arena.ofAuto().allocate(2048);
    private long timestampNs = TcpWire.START_NS;
    private long frameNumber;
    private int rounds;

    private static final class Summing implements TcpStreamHandler {
        private long sum;
        private boolean ignores;

        @Override
        public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
            sum += NetworkOrder.u8(segment, payloadOffset);
            return Pickup.IGNORE;
        }

        @Override
        public void data(TcpStream stream, MemorySegment segment, long offset, int length, long ns, long number) {
            sum += length + NetworkOrder.u8(segment, offset);
            if (ignores) {
                stream.ignore();
            }
        }

        @Override
        public void gap(TcpStream stream, long missingBytes, long ns, long number) {
            throw new AssertionError("a hole of " + missingBytes);
        }

        @Override
        public void end(TcpStream stream, End reason) {}
    }

    @Test
    void allocatesNothingForBytesInTheirTurn() {
        Summing handler = new Summing();
        try (TcpStreams streams = new TcpStreams(TcpLimits.DEFAULT, handler)) {
            for (int connection = 0; connection < 50; connection++) {
                send(streams, connection, 99, TcpWire.SYN, 0);
            }
            long least = AllocatedBytes.leastOf(() -> run(streams, rounds + ROUNDS));
            assertThat(least).isLessThan(AllocatedBytes.OF_ASKING);
            assertThat(handler.sum).isGreaterThanOrEqualTo(50L * ALL_ROUNDS * PAYLOAD);
            assertThat(streams.count(TcpCounter.BYTES)).isEqualTo(50L * ALL_ROUNDS * PAYLOAD);
        }
    }

    @Test
    void allocatesNothingForConnectionsThatAreUnknownOrIgnored() {
        Summing handler = new Summing();
        handler.ignores = true;
        try (TcpStreams streams = new TcpStreams(TcpLimits.DEFAULT, handler)) {
            for (int connection = 0; connection < 25; connection++) {
                send(streams, connection, 99, TcpWire.SYN, 0);
            }
            long least = AllocatedBytes.leastOf(() -> run(streams, rounds + ROUNDS));
            assertThat(least).isLessThan(AllocatedBytes.OF_ASKING);
            assertThat(handler.sum).isNotZero();
            assertThat(streams.size()).isEqualTo(25);
            assertThat(streams.count(TcpCounter.NOT_PICKED_UP)).isEqualTo(25L * ALL_ROUNDS);
            assertThat(streams.count(TcpCounter.IGNORED)).isEqualTo(25L * (ALL_ROUNDS - 1));
        }
    }

    private final TcpSegment segment = new TcpSegment();

    private void run(TcpStreams streams, int to) {
        for (; rounds < to; rounds++) {
            for (int connection = 0; connection < 50; connection++) {
                send(streams, connection, 100 + rounds * PAYLOAD, TcpWire.ACK, PAYLOAD);
            }
        }
    }

    private void send(TcpStreams streams, int connection, int sequence, int flags, int length) {
        NetworkOrder.putU32(frame, 4, sequence & 0xffff_ffffL);
        NetworkOrder.putU8(frame, 13, flags);
        timestampNs += 1000;
        segment.source(0, 0xffff_0a00_0001L, 10_000 + connection);
        segment.destination(0, 0xffff_0a00_0002L, 5060);
        segment.captured(timestampNs, ++frameNumber, 0);
        segment.bytes(frame, 0, 20, length, length);
        streams.segment(segment);
    }
}
