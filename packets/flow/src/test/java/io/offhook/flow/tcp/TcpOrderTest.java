package io.offhook.flow.tcp;

import static io.offhook.flow.tcp.TcpWire.ACK;
import static io.offhook.flow.tcp.TcpWire.FIN;
import static io.offhook.flow.tcp.TcpWire.MS;
import static io.offhook.flow.tcp.TcpWire.START_NS;
import static io.offhook.flow.tcp.TcpWire.SYN;
import static io.offhook.flow.tcp.TcpWire.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The bytes of one connection: order, repetition, overlap, holes. */
class TcpOrderTest {
    @AutoClose
    private final TcpWire wire = new TcpWire();

    @Test
    void tellsBothDirectionsFromTheirFirstByte() {
        wire.handshake();
        wire.client.data(0, "INVITE");
        wire.server.data(0, "100");
        wire.client.data(6, "ACK");
        assertThat(wire.reported()).containsExactly("c data INVITE", "s data 100", "c data ACK");
        assertThat(wire.asked).isEmpty();
    }

    @Test
    void reportsBytesInTurnWhereTheyLie() {
        wire.handshake();
        wire.client.data(0, "abc");
        assertThat(wire.lastMemory).isSameAs(wire.frame);
        assertThat(wire.lastOffset).isEqualTo(14 + 20 + 20);
        assertThat(wire.streams.reservedBytes()).isZero();
    }

    @Test
    void holdsWhatComesEarlyUntilTheHoleFills() {
        wire.handshake();
        wire.client.data(6, "ghi");
        wire.client.data(3, "def");
        assertThat(wire.reported).isEmpty();
        wire.client.data(0, "abc");
        assertThat(wire.reported()).containsExactly("c data abc", "c data def", "c data ghi");
        assertThat(wire.count(TcpCounter.OUT_OF_ORDER)).isEqualTo(2);
        assertThat(wire.count(TcpCounter.GAPS)).isZero();
    }

    @Test
    void reportsTimeAndFrameOfThePacketThatCarriedTheBytes() {
        wire.handshake();
        wire.client.data(3, "def");
        wire.client.data(0, "abc");
        assertThat(wire.reported).extracting(TcpWire.Told::frameNumber).containsExactly(5L, 4L);
        assertThat(wire.reported)
                .extracting(TcpWire.Told::timestampNs)
                .containsExactly(START_NS + 4 * MS, START_NS + 3 * MS);
    }

    @Test
    void keepsSegmentsLargerThanABlockWhole() {
        wire.handshake();
        String large = "0123456789".repeat(6000);
        wire.client.data(3, large);
        wire.client.data(0, "abc");
        assertThat(wire.text("c")).isEqualTo("abc" + large);
    }

    @Test
    void dropsWhatWasSentOrCapturedTwice() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.client.data(0, "abc");
        wire.client.data(6, "ghi");
        wire.client.data(6, "ghi");
        wire.client.data(3, "def");
        wire.client.data(0, "abcdefghi");
        assertThat(wire.text("c")).isEqualTo("abcdefghi");
        assertThat(wire.count(TcpCounter.RETRANSMITTED)).isEqualTo(3);
        assertThat(wire.count(TcpCounter.BYTES)).isEqualTo(9);
    }

    @Test
    void keepsTheToldByteWhereASegmentReachesBack() {
        wire.handshake();
        wire.client.data(0, "abcd");
        wire.client.data(2, "XYef");
        assertThat(wire.text("c")).isEqualTo("abcdef");
        assertThat(wire.count(TcpCounter.OVERLAPPING)).isEqualTo(1);
    }

    @Test
    void keepsTheHeldByteWhereAnotherComesLater() {
        wire.handshake();
        wire.client.data(2, "cd");
        wire.client.data(6, "gh");
        wire.client.data(1, "XXXefXXXi");
        assertThat(wire.reported).isEmpty();
        wire.client.data(0, "aY");
        assertThat(wire.text("c")).isEqualTo("aXcdefghXi");
        assertThat(wire.count(TcpCounter.OVERLAPPING)).isEqualTo(2);
    }

    @Test
    void keepsHeldBytesInsideASegmentThatComesInItsTurn() {
        wire.handshake();
        wire.client.data(2, "cd");
        wire.client.data(6, "gh");
        wire.client.data(0, "abXXefXXij");
        assertThat(wire.text("c")).isEqualTo("abcdefghij");
    }

    @Test
    void followsSequenceNumbersOverTheirWrap() {
        wire.client.send(-3, SYN, 0, "");
        wire.client.send(1, ACK, 0, "defg");
        wire.client.send(-2, ACK, 0, "abc");
        wire.client.send(5, ACK, 0, "h");
        assertThat(wire.text("c")).isEqualTo("abcdefgh");
    }

    @Test
    void countsSynAndFinAsOneNumberEach() {
        wire.client.send(99, SYN, 0, "ab");
        wire.client.send(102, FIN | ACK, 0, "cd");
        assertThat(wire.text("c")).isEqualTo("abcd!FIN");
        wire.client.send(104, FIN | ACK, 0, "");
        wire.client.send(105, ACK, 0, "");
        assertThat(wire.reported()).hasSize(3);
    }

    @Test
    void reportsAHoleForWhatTheCaptureCutOff() {
        wire.handshake();
        wire.client.sendCut(1001, ACK, 0, bytes("abcdef"), 4);
        wire.client.data(6, "gh");
        assertThat(wire.reported()).containsExactly("c data abcd", "c gap 2", "c data gh");
        assertThat(wire.count(TcpCounter.CAPTURED_SHORT)).isEqualTo(1);
        assertThat(wire.count(TcpCounter.MISSING_BYTES)).isEqualTo(2);
    }

    @Test
    void reportsAHoleForWhatTheCaptureCutOffOfAHeldSegment() {
        wire.handshake();
        wire.client.data(9, "jk");
        wire.client.sendCut(1004, ACK, 0, bytes("defghi"), 2);
        wire.client.data(0, "abc");
        assertThat(wire.text("c")).isEqualTo("abcde[4]jk");
    }

    @Test
    void fillsWhatTheCaptureCutOffWithBytesThatAreHeld() {
        wire.handshake();
        wire.client.data(4, "ef");
        wire.client.sendCut(1001, ACK, 0, bytes("abcdefgh"), 2);
        assertThat(wire.text("c")).isEqualTo("ab[2]ef[2]");
    }

    @Test
    void opensNoStreamWhereOnlyHeadersWereCaptured() {
        wire.handshake();
        wire.client.sendCut(1001, ACK, 0, bytes("abc"), 0);
        wire.client.sendCut(1004, ACK, 0, bytes("abc"), 0);
        assertThat(wire.reported).isEmpty();
        assertThat(wire.count(TcpCounter.STREAMS)).isZero();
    }

    @Test
    void countsKeepAliveProbes() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.client.data(2, "\0");
        wire.client.data(2, "");
        wire.client.data(3, "def");
        assertThat(wire.text("c")).isEqualTo("abcdef");
        assertThat(wire.count(TcpCounter.KEEP_ALIVES)).isEqualTo(1);
        assertThat(wire.count(TcpCounter.RETRANSMITTED)).isZero();
    }

    @Test
    void takesTheByteOfAZeroWindowProbe() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.client.data(3, "d");
        wire.client.data(3, "d");
        wire.client.data(3, "def");
        assertThat(wire.text("c")).isEqualTo("abcdef");
    }

    @Test
    void survivesAMirrorThatDeliversEverythingTwice() {
        for (int i = 0; i < 2; i++) {
            wire.client.send(1000, SYN, 0, "");
        }
        for (int i = 0; i < 2; i++) {
            wire.server.send(5000, SYN | ACK, 1001, "");
        }
        for (int i = 0; i < 2; i++) {
            wire.client.data(0, "abc");
        }
        for (int i = 0; i < 2; i++) {
            wire.client.send(1004, ACK | FIN, 0, "def");
        }
        for (int i = 0; i < 2; i++) {
            wire.server.send(5001, ACK | FIN, 1008, "xyz");
        }
        assertThat(wire.reported()).containsExactly("c data abc", "c data def", "c end FIN", "s data xyz", "s end FIN");
        assertThat(wire.asked).isEmpty();
        assertThat(wire.count(TcpCounter.AFTER_END)).isEqualTo(2);
    }

    @Test
    void keepsScopesApart() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.scope = 7;
        wire.client.data(0, "xyz");
        assertThat(wire.asked).containsExactly("xyz");
        assertThat(wire.text("c")).isEqualTo("abc");
    }

    @Test
    void keepsBothDirectionsOfAConnectionToOneselfApart() {
        TcpWire.Sender up = wire.new Sender(TcpWire.CLIENT, TcpWire.CLIENT.withPort(5060));
        TcpWire.Sender down = up.answering();
        up.send(1000, SYN, 0, "");
        down.send(5000, SYN | ACK, 1001, "");
        up.send(1001, ACK, 5001, "abc");
        down.send(5001, ACK, 1004, "xyz");
        assertThat(wire.text("c")).isEqualTo("abc");
        assertThat(wire.text("c5060")).isEqualTo("xyz");
    }
}
