package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.tcp.TcpSegment;
import io.offhook.packet.PlacedCount;
import org.junit.jupiter.api.Test;

/** The packets of a connection that reaches a limit are counted. */
class TcpTraceTest {
    private static final int MOST_OF_A_CONNECTION = 65_536;
    private static final int MOST_CONNECTIONS = 16_384;
    private static final int MOST_PACKETS = 524_288;

    private final TcpTrace trace = new TcpTrace();
    private final TcpSegment segment = new TcpSegment();
    private long frame;

    private void packets(int connection, int count) {
        segment.source(0, connection, 40_000);
        segment.destination(0, 1L << 32, 5060);
        for (int i = 0; i < count; i++) {
            frame++;
            segment.captured(frame * 1000, frame, 0);
            trace.packet(segment, null);
        }
    }

    @Test
    void keepsAllWithinTheLimits() {
        packets(1, MOST_OF_A_CONNECTION);
        assertThat(trace.untraced().count()).isZero();
    }

    @Test
    void countsAllPacketsOfALongConnection() {
        packets(1, MOST_OF_A_CONNECTION + 10);
        PlacedCount untraced = trace.untraced();
        assertThat(untraced.count()).isEqualTo(MOST_OF_A_CONNECTION + 10);
        assertThat(untraced.firstFrame()).isEqualTo(1);
        assertThat(untraced.lastFrame()).isEqualTo(frame);
        assertThat(untraced.firstNs()).isEqualTo(1000);
        assertThat(untraced.lastNs()).isEqualTo(frame * 1000);
    }

    @Test
    void countsThePacketsOfAConnectionThatGivesWay() {
        packets(0, 3);
        for (int connection = 1; connection <= MOST_CONNECTIONS; connection++) {
            packets(connection, 1);
        }
        assertThat(trace.untraced().count()).isEqualTo(3);
        assertThat(trace.untraced().lastFrame()).isEqualTo(3);
    }

    @Test
    void countsThePacketsOfAConnectionThatReturnsAfterItGaveWay() {
        for (int connection = 0; connection <= MOST_CONNECTIONS; connection++) {
            packets(connection, 1);
        }
        assertThat(trace.untraced().count()).isEqualTo(1);
        packets(0, 5); // connection 1 gives way to it
        assertThat(trace.untraced().count()).isEqualTo(1 + 5 + 1);
        assertThat(trace.untraced().lastFrame()).isEqualTo(frame);
    }

    @Test
    void countsThePacketsOfTheConnectionThatExceedsTheLimitOfAll() {
        for (int connection = 0; connection < 8; connection++) {
            packets(connection, MOST_PACKETS / 8);
        }
        assertThat(trace.untraced().count()).isZero();
        packets(8, 1);
        assertThat(trace.untraced().count()).isEqualTo(1);
        packets(0, 1);
        assertThat(trace.untraced().count()).isEqualTo(1 + MOST_PACKETS / 8 + 1);
        packets(8, 1);
        assertThat(trace.untraced().count()).isEqualTo(1 + MOST_PACKETS / 8 + 2);
    }
}
