package io.offhook.flow.tcp;

import static io.offhook.flow.tcp.TcpWire.ACK;
import static io.offhook.flow.tcp.TcpWire.FIN;
import static io.offhook.flow.tcp.TcpWire.MS;
import static io.offhook.flow.tcp.TcpWire.START_NS;
import static io.offhook.flow.tcp.TcpWire.SYN;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.flow.fragment.FragmentLimits;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.packet.PlacedCount;
import org.junit.jupiter.api.Test;

/** Holes that are given up, tables that are full, memory that is used up, time that passes. */
class TcpLimitsTest {
    private static final long HOLD_NS = 3000 * MS;
    private static final long IDLE_NS = 600_000 * MS;

    private static TcpLimits limits(int connections, int segmentsHeld) {
        return new TcpLimits(connections, 1 << 16, 1 << 17, segmentsHeld, 4, HOLD_NS, IDLE_NS);
    }

    @Test
    void givesUpAHoleAfterTheHoldTime() {
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.data(3, "def");
            long frame = wire.frameNumber;
            wire.nowNs += HOLD_NS - 2 * MS;
            wire.client.data(6, "ghi");
            assertThat(wire.reported).isEmpty();
            wire.nowNs += 2 * MS;
            wire.client.data(9, "jkl");
            assertThat(wire.text("c")).isEqualTo("[3]defghijkl");
            assertThat(wire.reported.getFirst().frameNumber()).isEqualTo(frame);
            wire.client.data(0, "abc");
            assertThat(wire.count(TcpCounter.LATE)).isEqualTo(1);
            assertThat(wire.lastStream().missingBytes()).isEqualTo(3);
        }
    }

    @Test
    void doesNotGiveUpAHoleThatFills() {
        // a burst was lost, and is sent again over a slow link: it takes longer than the hold time in all
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.data(100, "!");
            for (int at = 0; at < 100; at += 10) {
                wire.nowNs += HOLD_NS / 2;
                wire.client.data(at, "0123456789");
            }
            assertThat(wire.text("c")).isEqualTo("0123456789".repeat(10) + "!");
            assertThat(wire.count(TcpCounter.GAPS)).isZero();
        }
    }

    @Test
    void doesNotGoAfterASegmentFarAheadWhileTheStreamGoesOn() {
        // nobody sent it for this stream, or its receiver has no room for it: what comes in turn is told nonetheless
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.data(1 << 23, "forged");
            for (int at = 0; at < 100; at += 10) {
                wire.nowNs += HOLD_NS * 3 / 2;
                wire.client.data(at, "0123456789");
            }
            assertThat(wire.text("c")).isEqualTo("0123456789".repeat(10));
            assertThat(wire.count(TcpCounter.LATE)).isZero();
        }
    }

    @Test
    void waitsForWhatIsSentAgainAsLongAsPacketsOfOthersAllow() {
        for (boolean othersSend : new boolean[] {false, true}) {
            try (TcpWire wire = new TcpWire()) {
                wire.handshake();
                wire.client.data(3, "def");
                wire.nowNs += 2 * HOLD_NS - 10 * MS;
                if (othersSend) {
                    wire.sender(40_001).send(1000, SYN, 0, "");
                }
                wire.client.data(0, "abc");
                assertThat(wire.text("c")).isEqualTo("abcdef");
                wire.client.data(9, "jkl");
                wire.nowNs += 2 * HOLD_NS + 10 * MS;
                if (othersSend) {
                    wire.sender(40_001).send(1001, ACK, 0, "");
                }
                wire.client.data(6, "ghi");
                assertThat(wire.text("c")).isEqualTo("abcdef[3]jkl");
            }
        }
    }

    @Test
    void givesEachHoleItsOwnTime() {
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.data(3, "def");
            wire.nowNs += HOLD_NS - 100 * MS;
            wire.client.data(9, "jkl");
            wire.client.data(0, "abc");
            wire.nowNs += HOLD_NS - 100 * MS;
            wire.client.data(12, "mno");
            assertThat(wire.text("c")).isEqualTo("abcdef");
            wire.nowNs += 100 * MS;
            wire.client.data(15, "pqr");
            assertThat(wire.text("c")).isEqualTo("abcdef[3]jklmnopqr");
        }
    }

    @Test
    void saysAtWhichFramesItCounted() {
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            assertThat(wire.streams.placed(TcpCounter.GAPS).firstFrame()).isZero();
            wire.client.data(3, "def");
            wire.client.data(9, "jkl");
            wire.client.data(9, "jkl");
            wire.streams.flush();
            assertThat(wire.count(TcpCounter.GAPS)).isEqualTo(2);
            assertThat(wire.streams.placed(TcpCounter.GAPS).firstFrame()).isEqualTo(4);
            assertThat(wire.streams.placed(TcpCounter.GAPS).lastFrame()).isEqualTo(5);
            assertThat(wire.streams.placed(TcpCounter.GAPS).firstNs()).isEqualTo(START_NS + 3 * MS);
            assertThat(wire.streams.placed(TcpCounter.GAPS).lastNs()).isEqualTo(START_NS + 4 * MS);
            assertThat(wire.streams.placed(TcpCounter.RETRANSMITTED).firstFrame())
                    .isEqualTo(6);
            // nobody acknowledged them: the network may have lost them
            assertThat(wire.count(TcpCounter.GAPS_ACKNOWLEDGED)).isZero();
        }
    }

    @Test
    void saysBetweenWhichFramesTheCaptureLostWhatWasAcknowledged() {
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.data(0, "abc");
            wire.client.data(6, "ghi");
            wire.server.send(5001, ACK, 1010, "");
            wire.client.data(9, "jkl");
            wire.streams.flush();
            assertThat(wire.text("c")).isEqualTo("abc[3]ghijkl!CAPTURE_END");
            PlacedCount lost = wire.streams.placed(TcpCounter.GAPS_ACKNOWLEDGED);
            assertThat(lost.count()).isEqualTo(1);
            assertThat(lost.firstFrame()).isEqualTo(4);
            assertThat(lost.lastFrame()).isEqualTo(5);
        }
    }

    @Test
    void doesNotTakeASegmentThatWasCapturedShortForOneLost() {
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.sendCut(1001, ACK, 5001, "abcdef".getBytes(US_ASCII), 3);
            wire.client.data(6, "ghi");
            wire.server.send(5001, ACK, 1010, "");
            wire.streams.flush();
            assertThat(wire.text("c")).isEqualTo("abc[3]ghi!CAPTURE_END");
            assertThat(wire.count(TcpCounter.GAPS_ACKNOWLEDGED)).isZero();
        }
    }

    @Test
    void saysWhereBeganWhatGaveWay() {
        try (TcpWire wire = new TcpWire(limits(2, 1000))) {
            wire.handshake(); // frames 1 to 3, a mere mark until there is data
            wire.client.data(0, "abc");
            wire.sender(40_001).send(1000, SYN, 0, ""); // frame 5
            wire.sender(40_002).send(1000, SYN, 0, "");
            PlacedCount marks = wire.streams.placed(TcpCounter.MARKS_EVICTED);
            assertThat(marks.count()).isEqualTo(1);
            assertThat(marks.firstFrame()).isEqualTo(5);
            assertThat(marks.firstNs()).isEqualTo(START_NS + 4 * MS);
        }
    }

    @Test
    void givesUpAHoleAfterTwiceTheHoldTimeWhenOnlyOthersSend() {
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.data(3, "def");
            TcpWire.Sender other = wire.sender(40_001);
            wire.nowNs += HOLD_NS + MS;
            other.send(1000, SYN, 0, "");
            assertThat(wire.reported).isEmpty();
            wire.nowNs += HOLD_NS;
            other.send(1001, ACK, 0, "");
            assertThat(wire.text("c")).isEqualTo("[3]def");
        }
    }

    @Test
    void givesUpAHoleThatTheReceiverHasAcknowledged() {
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.data(3, "def");
            wire.server.send(5001, ACK, 1003, "");
            wire.server.send(5001, ACK, 1004, "");
            for (int i = 1; i < TcpReassembly.SEGMENTS_AFTER_ACKNOWLEDGED; i++) {
                wire.server.data((i - 1) * 2, "ok");
            }
            assertThat(wire.text("c")).isEmpty();
            wire.client.data(6, "ghi");
            assertThat(wire.text("c")).isEqualTo("[3]defghi");
            assertThat(wire.text("s")).isEqualTo("okokok");
            PlacedCount lost = wire.streams.placed(TcpCounter.GAPS_ACKNOWLEDGED);
            assertThat(lost.count()).isEqualTo(1);
            // between the SYN and the first segment behind the hole
            assertThat(lost.firstFrame()).isEqualTo(1);
            assertThat(lost.lastFrame()).isEqualTo(4);
            assertThat(lost.firstNs()).isEqualTo(START_NS);
            assertThat(lost.lastNs()).isEqualTo(START_NS + 3 * MS);
        }
    }

    @Test
    void fillsAHoleThatIsAcknowledgedBeforeItsBytesAreCaptured() {
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.data(3, "def");
            wire.server.send(5001, ACK, 1007, "");
            wire.server.send(5001, ACK, 1007, "");
            wire.client.data(0, "abc");
            assertThat(wire.text("c")).isEqualTo("abcdef");
        }
    }

    @Test
    void givesUpAHoleBehindWhichTooManySegmentsAreHeld() {
        try (TcpWire wire = new TcpWire(limits(10, 3))) {
            wire.handshake();
            for (int i = 1; i <= 3; i++) {
                wire.client.data(i * 2, "x" + i);
            }
            assertThat(wire.reported).isEmpty();
            wire.client.data(10, "x5");
            assertThat(wire.text("c")).isEqualTo("[2]x1x2x3");
            wire.client.data(8, "x4");
            assertThat(wire.text("c")).isEqualTo("[2]x1x2x3x4x5");
            assertThat(wire.count(TcpCounter.GAPS_FORCED)).isEqualTo(1);
        }
    }

    @Test
    void givesUpAHoleBehindWhichTooManyBytesAreHeld() {
        try (TcpWire wire = new TcpWire(limits(10, 1000))) {
            wire.handshake();
            String block = "0123456789".repeat(200);
            for (int i = 0; i < 32; i++) {
                wire.client.data(10 + i * 2000, block);
            }
            assertThat(wire.reported).isEmpty();
            wire.client.data(10 + 32 * 2000, block);
            assertThat(wire.text("c")).isEqualTo("[10]" + block.repeat(33));
            assertThat(wire.count(TcpCounter.GAPS_FORCED)).isEqualTo(1);
        }
    }

    @Test
    void takesMemoryFromTheStreamThatWaitsLongest() {
        try (TcpWire wire = new TcpWire(limits(1000, 1000))) {
            // 64 blocks in all, one a segment
            for (int i = 0; i < 500; i++) {
                TcpWire.Sender sender = wire.sender(1000 + i);
                sender.send(0, SYN, 0, "");
                sender.send(2, ACK, 0, "held");
            }
            assertThat(wire.streams.reservedBytes()).isLessThanOrEqualTo(1 << 17);
            assertThat(wire.text("c1000")).isEqualTo("[1]held");
            assertThat(wire.text("c1430")).isEqualTo("[1]held");
            assertThat(wire.text("c1499")).isEmpty();
            assertThat(wire.count(TcpCounter.GAPS_FORCED)).isBetween(436L, 438L);
            assertThat(wire.count(TcpCounter.UNHELD_BYTES)).isZero();
            wire.streams.flush();
            assertThat(wire.count(TcpCounter.BYTES)).isEqualTo(2000);
            assertThat(wire.count(TcpCounter.GAPS)).isEqualTo(500);
        }
    }

    @Test
    void keepsStreamsThroughAFloodOfSyn() {
        try (TcpWire wire = new TcpWire(limits(100, 10))) {
            wire.handshake();
            wire.client.data(0, "abc");
            for (int i = 0; i < 5000; i++) {
                wire.sender(1 + i).send(i * 77_777, SYN, 0, "");
            }
            assertThat(wire.streams.size()).isEqualTo(100);
            wire.client.data(3, "def");
            assertThat(wire.text("c")).isEqualTo("abcdef");
            assertThat(wire.asked).isEmpty();
            assertThat(wire.count(TcpCounter.MARKS_EVICTED)).isEqualTo(4901);
            assertThat(wire.count(TcpCounter.EVICTED)).isZero();
        }
    }

    @Test
    void remembersTheLastFewSynsInATableFullOfStreams() {
        try (TcpWire wire = new TcpWire(limits(32, 10))) {
            wire.pickup = text -> Pickup.NOW;
            for (int port = 1; port <= 32; port++) {
                wire.sender(port).data(0, "a");
                wire.nowNs += 1001 * MS;
            }
            wire.sender(101).send(1000, SYN, 0, "");
            wire.sender(102).send(1000, SYN, 0, "");
            wire.sender(101).data(2, "c"); // 1001 and 1002 are missing
            wire.sender(102).data(0, "ab");
            wire.streams.flush();
            assertThat(wire.text("c101")).isEqualTo("[2]c!CAPTURE_END");
            assertThat(wire.text("c102")).isEqualTo("ab!CAPTURE_END");
            assertThat(wire.text("c1")).isEqualTo("a!EVICTED");
            assertThat(wire.text("c2")).isEqualTo("a!EVICTED");
            assertThat(wire.text("c3")).isEqualTo("a!CAPTURE_END");
            assertThat(wire.count(TcpCounter.MARKS_EVICTED)).isZero();
        }
    }

    @Test
    void evictsTheStreamWithTheOldestPacket() {
        try (TcpWire wire = new TcpWire(limits(3, 10))) {
            wire.pickup = text -> Pickup.NOW;
            for (int port = 1; port <= 3; port++) {
                wire.sender(port).data(0, "a");
                wire.nowNs += 1001 * MS;
            }
            wire.sender(1).data(1, "b");
            wire.sender(2).data(3, "d");
            wire.nowNs += 1001 * MS;
            wire.sender(2).data(5, "f");
            wire.sender(4).data(0, "a");
            wire.sender(5).data(0, "a");
            assertThat(wire.text("c3")).isEqualTo("a!EVICTED");
            assertThat(wire.text("c1")).isEqualTo("ab!EVICTED");
            assertThat(wire.text("c2")).isEqualTo("a");
            wire.sender(6).data(0, "a");
            assertThat(wire.text("c2")).isEqualTo("a[2]d[1]f!EVICTED");
            assertThat(wire.count(TcpCounter.EVICTED)).isEqualTo(3);
            assertThat(wire.streams.size()).isEqualTo(3);
        }
    }

    @Test
    void evictsIgnoredAndClosedConnectionsBeforeStreams() {
        try (TcpWire wire = new TcpWire(limits(3, 10))) {
            wire.pickup = text -> Pickup.NOW;
            wire.ignores = stream -> stream.source().port() == 2;
            wire.sender(1).data(0, "a");
            wire.sender(2).data(0, "a");
            wire.sender(3).send(1001, FIN | ACK, 0, "a");
            wire.sender(4).data(0, "a");
            wire.sender(5).data(0, "a");
            wire.sender(1).data(1, "b");
            assertThat(wire.text("c1")).isEqualTo("ab");
            assertThat(wire.text("c3")).isEqualTo("a!FIN");
            assertThat(wire.count(TcpCounter.MARKS_EVICTED)).isEqualTo(2);
            assertThat(wire.count(TcpCounter.EVICTED)).isZero();
        }
    }

    @Test
    void endsAStreamThatIsIdleAtItsNextPacket() {
        try (TcpWire wire = new TcpWire()) {
            wire.pickup = text -> Pickup.NOW;
            wire.handshake();
            wire.client.data(0, "abc");
            wire.nowNs += IDLE_NS;
            wire.client.data(3, "def");
            assertThat(wire.reported()).containsExactly("c data abc", "c end IDLE", "c data def");
            assertThat(wire.asked).containsExactly("def");
        }
    }

    @Test
    void endsAStreamThatIsIdleForTwiceTheTimeoutAtAnyPacket() {
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.data(0, "abc");
            wire.client.data(6, "ghi");
            wire.nowNs += IDLE_NS + MS;
            wire.sender(40_001).send(0, SYN, 0, "");
            assertThat(wire.text("c")).isEqualTo("abc[3]ghi");
            wire.nowNs += IDLE_NS;
            wire.sender(40_002).send(0, SYN, 0, "");
            assertThat(wire.text("c")).isEqualTo("abc[3]ghi!IDLE");
            assertThat(wire.streams.size()).isEqualTo(2);
            assertThat(wire.count(TcpCounter.IDLE)).isEqualTo(1);
        }
    }

    @Test
    void isNotStoppedByOneAbsurdTimestamp() {
        try (TcpWire wire = new TcpWire()) {
            wire.pickup = text -> Pickup.NOW;
            long now = wire.nowNs;
            wire.nowNs = Long.MAX_VALUE - 10;
            wire.sender(1).data(0, "a");
            wire.nowNs = now;
            wire.sender(2).data(0, "a");
            assertThat(wire.text("c1")).isEqualTo("a!IDLE");
            assertThat(wire.text("c2")).isEqualTo("a");
        }
    }

    @Test
    void followsACaptureThatGoesBackALittle() {
        try (TcpWire wire = new TcpWire()) {
            wire.handshake();
            wire.client.data(0, "abc");
            wire.nowNs -= 500 * MS;
            wire.client.data(6, "ghi");
            wire.nowNs += 700 * MS;
            wire.client.data(3, "def");
            assertThat(wire.text("c")).isEqualTo("abcdefghi");
        }
    }

    @Test
    void refusesLimitsThatCannotWork() {
        assertThatThrownBy(() -> new TcpLimits(0, 1 << 20, 1 << 20, 1, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("connections 0 is not in 1 to 16777216");
        assertThatThrownBy(() -> new FragmentLimits(1, 1, 2, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bytes 1 is not in 131072 to 17179869184");
    }
}
