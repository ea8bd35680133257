package io.offhook.flow.tcp;

import static io.offhook.flow.tcp.TcpSign.ACKED_UNSEEN;
import static io.offhook.flow.tcp.TcpSign.DUPLICATE_ACK;
import static io.offhook.flow.tcp.TcpSign.FAST_RETRANSMISSION;
import static io.offhook.flow.tcp.TcpSign.KEEP_ALIVE;
import static io.offhook.flow.tcp.TcpSign.KEEP_ALIVE_ACK;
import static io.offhook.flow.tcp.TcpSign.OUT_OF_ORDER;
import static io.offhook.flow.tcp.TcpSign.PREVIOUS_SEGMENT_LOST;
import static io.offhook.flow.tcp.TcpSign.RETRANSMISSION;
import static io.offhook.flow.tcp.TcpSign.SPURIOUS_RETRANSMISSION;
import static io.offhook.flow.tcp.TcpSign.WINDOW_FULL;
import static io.offhook.flow.tcp.TcpSign.WINDOW_UPDATE;
import static io.offhook.flow.tcp.TcpSign.ZERO_WINDOW;
import static io.offhook.flow.tcp.TcpSign.ZERO_WINDOW_PROBE;
import static io.offhook.flow.tcp.TcpSign.ZERO_WINDOW_PROBE_ACK;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the numbers of segments show, by Wireshark's definitions. Forward is the client, whose first byte has number 1001. */
class TcpAnalysisTest {
    private static final long MS = 1_000_000;
    private static final int FIN = 1;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int ACK = 0x10;

    private final TcpAnalysis analysis = new TcpAnalysis();
    private final TcpNumbers numbers = new TcpNumbers();
    private long nowNs = 1_700_000_000_000_000_000L;
    private int window = 1000;
    /** Added to all numbers, so that they wrap somewhere. */
    private int base;

    private Set<TcpSign> client(long sequence, int flags, long acknowledgment, int length) {
        return segment(true, sequence, flags, acknowledgment, length);
    }

    private Set<TcpSign> server(long sequence, int flags, long acknowledgment, int length) {
        return segment(false, sequence, flags, acknowledgment, length);
    }

    private Set<TcpSign> segment(boolean isForward, long sequence, int flags, long acknowledgment, int length) {
        int windowScale = (flags & SYN) != 0 ? 0 : TcpNumbers.NO_SCALE;
        numbers.set((int) sequence + base, (int) acknowledgment + base, flags, window, windowScale);
        int signs = analysis.segment(isForward, numbers, length, nowNs);
        nowNs += MS;
        Set<TcpSign> shown = EnumSet.noneOf(TcpSign.class);
        for (TcpSign sign : TcpSign.values()) {
            if (sign.isIn(signs)) {
                shown.add(sign);
            }
        }
        return shown;
    }

    private void handshake() {
        assertThat(client(1000, SYN, 0, 0)).isEmpty();
        assertThat(server(5000, SYN | ACK, 1001, 0)).isEmpty();
        assertThat(client(1001, ACK, 5001, 0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1001, -1101, -5001, Integer.MIN_VALUE, Integer.MAX_VALUE - 1050})
    void showsNothingWhereAllGoesWell(int base) {
        this.base = base;
        handshake();
        assertThat(client(1001, ACK, 5001, 100)).isEmpty();
        assertThat(server(5001, ACK, 1101, 200)).isEmpty();
        assertThat(client(1101, ACK, 5201, 0)).isEmpty();
        assertThat(client(1101, ACK | FIN, 5201, 0)).isEmpty();
        assertThat(server(5201, ACK | FIN, 1102, 0)).isEmpty();
        assertThat(client(1102, ACK, 5202, 0)).isEmpty();
        assertThat(analysis.handshakeRoundTripNs()).isEqualTo(2 * MS);
        assertThat(analysis.roundTrip(true).samples()).isEqualTo(3); // SYN, data, FIN
        assertThat(analysis.roundTrip(false).samples()).isEqualTo(3);
        assertThat(analysis.roundTrip(true).meanNs()).isEqualTo(MS);
    }

    @Test
    void reportsARetransmissionByItsTime() {
        handshake();
        client(1001, ACK, 5001, 100);
        client(1101, ACK, 5001, 100);
        nowNs += 300 * MS;
        assertThat(client(1001, ACK, 5001, 100)).containsExactly(RETRANSMISSION);
        // the same soon after later data would be reordering
        client(1201, ACK, 5001, 100);
        client(1301, ACK, 5001, 100);
        assertThat(client(1201, ACK, 5001, 100)).containsExactly(OUT_OF_ORDER);
        // but what ends where the highest number is cannot have been overtaken
        assertThat(client(1301, ACK, 5001, 100)).containsExactly(RETRANSMISSION);
    }

    @Test
    void reportsAFastRetransmissionByDuplicateAcknowledgments() {
        handshake();
        client(1001, ACK, 5001, 100);
        assertThat(server(5001, ACK, 1101, 0)).isEmpty();
        assertThat(client(1201, ACK, 5001, 100)).containsExactly(PREVIOUS_SEGMENT_LOST);
        nowNs += 50 * MS;
        assertThat(server(5001, ACK, 1101, 0)).containsExactly(DUPLICATE_ACK);
        assertThat(server(5001, ACK, 1101, 0)).containsExactly(DUPLICATE_ACK);
        assertThat(client(1101, ACK, 5001, 100)).containsExactly(FAST_RETRANSMISSION);
    }

    @Test
    void takesALateAnswerToDuplicateAcknowledgmentsForAnOrdinaryRetransmission() {
        handshake();
        client(1001, ACK, 5001, 100);
        server(5001, ACK, 1101, 0);
        client(1201, ACK, 5001, 100);
        server(5001, ACK, 1101, 0);
        server(5001, ACK, 1101, 0);
        nowNs += 21 * MS;
        assertThat(client(1101, ACK, 5001, 100)).containsExactly(RETRANSMISSION);
    }

    @Test
    void reportsASpuriousRetransmissionByItsAcknowledgment() {
        handshake();
        client(1001, ACK, 5001, 100);
        server(5001, ACK, 1101, 0);
        assertThat(client(1001, ACK, 5001, 100)).containsExactly(SPURIOUS_RETRANSMISSION);
    }

    @Test
    void reportsKeepAlivesAndTheirAnswers() {
        handshake();
        client(1001, ACK, 5001, 100);
        server(5001, ACK, 1101, 0);
        assertThat(client(1100, ACK, 5001, 1)).containsExactly(KEEP_ALIVE);
        assertThat(server(5001, ACK, 1101, 0)).containsExactly(KEEP_ALIVE_ACK);
        assertThat(client(1100, ACK, 5001, 0)).containsExactly(KEEP_ALIVE);
        assertThat(server(5001, ACK, 1101, 0)).containsExactly(KEEP_ALIVE_ACK);
        assertThat(client(1101, ACK, 5001, 10)).isEmpty();
    }

    @Test
    void reportsAClosedWindowAndItsProbes() {
        handshake();
        client(1001, ACK, 5001, 100);
        window = 0;
        assertThat(server(5001, ACK, 1101, 0)).containsExactly(ZERO_WINDOW);
        window = 1000;
        assertThat(client(1101, ACK, 5001, 1)).containsExactly(ZERO_WINDOW_PROBE);
        window = 0;
        assertThat(server(5001, ACK, 1101, 0)).containsExactlyInAnyOrder(ZERO_WINDOW, ZERO_WINDOW_PROBE_ACK);
        window = 1000;
        assertThat(client(1101, ACK, 5001, 1)).containsExactly(ZERO_WINDOW_PROBE);
        assertThat(server(5001, ACK, 1101, 0)).containsExactly(WINDOW_UPDATE);
        assertThat(client(1101, ACK, 5001, 100)).isEmpty();
    }

    @Test
    void reportsDataThatFillsTheWindow() {
        handshake();
        assertThat(client(1001, ACK, 5001, 999)).isEmpty();
        assertThat(client(2000, ACK, 5001, 1)).containsExactly(WINDOW_FULL);
    }

    @Test
    void reportsWhatWasAcknowledgedAndNotSeenOnce() {
        handshake();
        client(1001, ACK, 5001, 100);
        assertThat(server(5001, ACK, 1301, 0)).containsExactly(ACKED_UNSEEN);
        assertThat(server(5001, ACK, 1301, 10)).isEmpty();
        assertThat(client(1301, ACK, 5011, 10)).containsExactly(PREVIOUS_SEGMENT_LOST);
        assertThat(server(5011, ACK, 1311, 10)).isEmpty();
    }

    @Test
    void measuresNoRoundTripOfWhatWasSentAgain() {
        handshake();
        client(1001, ACK, 5001, 100);
        nowNs += 300 * MS;
        client(1001, ACK, 5001, 100);
        nowNs += 10 * MS;
        server(5001, ACK, 1101, 0);
        assertThat(analysis.roundTrip(true).samples()).isEqualTo(1); // the SYN
        client(1101, ACK, 5001, 100);
        nowNs += 19 * MS;
        server(5001, ACK, 1201, 0);
        assertThat(analysis.roundTrip(true).lastNs()).isEqualTo(20 * MS);
        assertThat(analysis.roundTrip(true).minNs()).isEqualTo(MS);
        assertThat(analysis.roundTrip(true).smoothedNs()).isEqualTo(MS + 19 * MS / 8);
    }

    @Test
    void takesNoNumberFromWhoRefuses() {
        assertThat(client(1000, SYN, 0, 0)).isEmpty();
        assertThat(server(0, RST | ACK, 1001, 0)).isEmpty(); // RFC 9293, 3.10.7.1
        assertThat(client(1000, SYN, 0, 0)).containsExactly(RETRANSMISSION);
        assertThat(server(5000, SYN | ACK, 1001, 0)).isEmpty();
        assertThat(client(1001, ACK, 5001, 0)).isEmpty();
        assertThat(server(5001, ACK, 1001, 10)).isEmpty();
    }

    @Test
    void measuresNothingWhereTimeGoesBack() {
        client(1000, SYN, 0, 0);
        nowNs -= 5 * MS;
        server(5000, SYN | ACK, 1001, 0);
        client(1001, ACK, 5001, 0);
        assertThat(analysis.handshakeRoundTripNs()).isZero();
        assertThat(analysis.roundTrip(true).samples()).isZero();
        assertThat(analysis.roundTrip(false).samples()).isEqualTo(1);
        client(1001, ACK, 5001, 10);
        assertThat(analysis.handshakeRoundTripNs()).isZero();
        nowNs -= 5 * MS;
        server(5001, ACK, 1011, 0);
        assertThat(analysis.roundTrip(true).samples()).isZero();
        client(1011, ACK, 5001, 10);
        server(5001, ACK, 1021, 0);
        assertThat(analysis.roundTrip(true).minNs()).isEqualTo(MS);
    }

    @Test
    void takesResetsAsTheyAre() {
        handshake();
        assertThat(client(9999, RST, 0, 0)).isEmpty();
        assertThat(server(5001, RST | ACK, 1001, 0)).isEmpty();
    }

    @Test
    void showsWhatItCanOfTheMiddleOfAConnection() {
        assertThat(client(7777, ACK, 9000, 100)).isEmpty();
        assertThat(server(9000, ACK, 7877, 0)).isEmpty();
        assertThat(client(7777, ACK, 9000, 100)).containsExactly(SPURIOUS_RETRANSMISSION);
        assertThat(analysis.handshakeRoundTripNs()).isZero();
    }
}
