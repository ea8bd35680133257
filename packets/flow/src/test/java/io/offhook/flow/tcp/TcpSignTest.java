package io.offhook.flow.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.FlowWire;
import io.offhook.packet.LinkType;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Signs as {@link TcpStreams} tells them, and of a sender whose segments are lost, captured twice and sent again. */
class TcpSignTest {

    @Test
    void reportsSignsOnRequestOnly() {
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.data(0, "abc");
            wire.client.data(0, "abc");
            assertThat(wire.streams.lastSigns()).isZero();
        }
        try (TcpWire wire = new TcpWire()) {
            wire.streams.analyse();
            wire.handshake();
            wire.client.data(0, "abc");
            assertThat(wire.streams.lastSigns()).isZero();
            wire.server.send(5001, TcpWire.ACK, 1004, "");
            wire.client.data(0, "abc");
            assertThat(TcpSign.SPURIOUS_RETRANSMISSION.isIn(wire.streams.lastSigns()))
                    .isTrue();
            wire.client.data(7, "hij");
            assertThat(TcpSign.PREVIOUS_SEGMENT_LOST.isIn(wire.streams.lastSigns()))
                    .isTrue();
            assertThat(wire.streams.count(TcpSign.SPURIOUS_RETRANSMISSION)).isEqualTo(1);
            assertThat(wire.streams.count(TcpSign.PREVIOUS_SEGMENT_LOST)).isEqualTo(1);
            assertThat(wire.streams.count(TcpSign.RETRANSMISSION)).isZero();
        }
    }

    @Test
    void beginsAnewWhenPortsAreUsedAgain() {
        try (TcpWire wire = new TcpWire()) {
            wire.streams.analyse();
            wire.handshake();
            wire.client.data(0, "abc");
            wire.client.send(1004, TcpWire.RST, 0, "");
            wire.nowNs += 5_000 * TcpWire.MS;
            wire.client.send(900, TcpWire.SYN, 0, "");
            assertThat(wire.streams.lastSigns()).isZero();
            wire.server.send(7000, TcpWire.SYN | TcpWire.ACK, 901, "");
            wire.client.send(901, TcpWire.ACK, 7001, "abc");
            assertThat(wire.streams.lastSigns()).isZero();
        }
    }

    @Test
    void takesInAWalkedPacket() {
        FlowWire frames = new FlowWire();
        frames.isWithoutTable = true;
        frames.vlans = List.of(7);
        try (TcpWire wire = new TcpWire()) {
            frames.client(1000, FlowWire.SYN, 0, 0);
            assertThat(wire.streams.segment(frames.walker, FlowWire.START_NS, 1))
                    .isTrue();
            frames.frame.fill((byte) 'x');
            frames.client(1001, FlowWire.ACK, 5001, 3);
            assertThat(wire.streams.segment(frames.walker, FlowWire.START_NS, 2))
                    .isTrue();
            assertThat(wire.text("c")).isEqualTo("xxx");
            assertThat(wire.lastStream().scope()).isEqualTo(7);
            frames.udp(FlowWire.CLIENT, FlowWire.SERVER, 3);
            assertThat(wire.streams.segment(frames.walker, FlowWire.START_NS, 3))
                    .isFalse();
            frames.isMore = true;
            frames.client(1004, FlowWire.ACK, 5001, 3);
            assertThat(wire.streams.segment(frames.walker, FlowWire.START_NS, 4))
                    .isFalse();
            frames.isMore = false;
            frames.client(1004, FlowWire.ACK, 5001, 3);
            frames.walker.walk(frames.frame, 0, 50, 64, LinkType.ETHERNET);
            assertThat(wire.streams.segment(frames.walker, FlowWire.START_NS, 5))
                    .isFalse();
            assertThat(wire.count(TcpCounter.SEGMENTS)).isEqualTo(2);
        }
    }

    @Test
    void opensFromBothEndsAtOnce() {
        try (TcpWire wire = new TcpWire()) {
            wire.streams.analyse();
            wire.client.send(1000, TcpWire.SYN, 0, "");
            wire.server.send(5000, TcpWire.SYN, 0, "");
            wire.client.send(1000, TcpWire.SYN | TcpWire.ACK, 5001, "");
            wire.server.send(5000, TcpWire.SYN | TcpWire.ACK, 1001, "");
            wire.client.data(0, "abc");
            wire.server.data(0, "xyz");
            assertThat(wire.text("c")).isEqualTo("abc");
            assertThat(wire.text("s")).isEqualTo("xyz");
        }
    }

    /** What was sent again is told so, each time and once; each hole of the capture shows with the segment behind it. */
    @RepeatedTest(60)
    void countsWhatHappened(RepetitionInfo repetition) {
        long seed = 4200L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        TcpAnalysis analysis = new TcpAnalysis();
        int base = random.nextInt();
        long nowNs = TcpWire.START_NS;
        double loss = random.nextInt(4) / 20.0;
        int[] counts = new int[TcpSign.values().length];
        int next = base;
        int sentAgain = 0;
        int holes = 0;
        boolean isHole = false;
        boolean isSeen = false;
        for (int i = 0; i < 2000; i++) {
            int length = 1 + random.nextInt(1460);
            boolean isLost = random.nextDouble() < loss;
            nowNs += random.nextInt(1_000_000);
            if (!isLost) {
                note(counts, sent(analysis, next, length, nowNs));
                holes += isSeen && isHole ? 1 : 0;
                isSeen = true;
            }
            isHole = isLost;
            if (isSeen && random.nextInt(10) == 0 && !isLost && length > 1) {
                nowNs += 400_000_000; // no reordering takes that long
                note(counts, sent(analysis, next, length, nowNs));
                sentAgain++;
            }
            next += length;
        }
        assertThat(counts[index(TcpSign.RETRANSMISSION)]).as("seed %d", seed).isEqualTo(sentAgain);
        assertThat(counts[index(TcpSign.PREVIOUS_SEGMENT_LOST)])
                .as("seed %d", seed)
                .isEqualTo(holes);
        assertThat(counts[index(TcpSign.OUT_OF_ORDER)]).as("seed %d", seed).isZero();
        assertThat(counts[index(TcpSign.SPURIOUS_RETRANSMISSION)])
                .as("seed %d", seed)
                .isZero();
    }

    private static void note(int[] counts, int signs) {
        for (TcpSign sign : TcpSign.values()) {
            counts[index(sign)] += sign.isIn(signs) ? 1 : 0;
        }
    }

    private static int index(TcpSign sign) {
        return Integer.numberOfTrailingZeros(sign.bit());
    }

    /** Swapped neighbours within a round trip are told as reordered, never as sent again. */
    @RepeatedTest(30)
    void tellsReorderingFromRetransmission(RepetitionInfo repetition) {
        long seed = 4300L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        TcpAnalysis analysis = new TcpAnalysis();
        int[] counts = new int[TcpSign.values().length];
        long nowNs = TcpWire.START_NS;
        int next = random.nextInt();
        int swapped = 0;
        sent(analysis, next, 100, nowNs);
        next += 100;
        for (int i = 0; i < 1000; i++) {
            nowNs += 100_000;
            if (random.nextInt(5) == 0) {
                note(counts, sent(analysis, next + 100, 100, nowNs));
                nowNs += 100_000;
                note(counts, sent(analysis, next, 100, nowNs));
                swapped++;
                next += 200;
            } else {
                note(counts, sent(analysis, next, 100, nowNs));
                next += 100;
            }
        }
        assertThat(counts[index(TcpSign.OUT_OF_ORDER)]).as("seed %d", seed).isEqualTo(swapped);
        assertThat(counts[index(TcpSign.PREVIOUS_SEGMENT_LOST)])
                .as("seed %d", seed)
                .isEqualTo(swapped);
        assertThat(counts[index(TcpSign.RETRANSMISSION)]).as("seed %d", seed).isZero();
    }

    private static int sent(TcpAnalysis analysis, int sequence, int length, long timestampNs) {
        TcpNumbers numbers = new TcpNumbers();
        numbers.set(sequence, 1, 0x10, 5000, TcpNumbers.NO_SCALE);
        return analysis.segment(true, numbers, length, timestampNs);
    }
}
