package io.offhook.flow.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Round trips by the timestamps that segments carry and echo (RFC 7323, 3). */
class TcpTimestampTest {
    private static final long MS = 1_000_000;
    private static final int SYN = 2;
    private static final int ACK = 0x10;

    private final TcpAnalysis analysis = new TcpAnalysis();
    private final MemorySegment header = Arena.ofAuto().allocate(60);
    private int optionsLength = 12;

    private void client(long ms, int sequence, int length, long stamp, long echo) {
        segment(true, ms, sequence, ACK, length, stamp, echo);
    }

    private void server(long ms, int length, long stamp, long echo) {
        segment(false, ms, 5001, ACK, length, stamp, echo);
    }

    private void segment(boolean isForward, long ms, int sequence, int flags, int length, long stamp, long echo) {
        NetworkOrder.putU32(header, 4, sequence);
        NetworkOrder.putU32(header, 8, isForward ? 5001 : 1001);
        NetworkOrder.putU16(header, 12, 8 << 12 | flags);
        NetworkOrder.putU16(header, 14, 1000);
        NetworkOrder.putU32(header, 20, 0x0101_080aL);
        NetworkOrder.putU32(header, 24, stamp);
        NetworkOrder.putU32(header, 28, echo);
        TcpNumbers numbers = new TcpNumbers();
        numbers.wrap(header, 0, 20 + optionsLength);
        analysis.segment(isForward, numbers, length, ms * MS);
    }

    @Test
    void measuresFromTheFirstOfATickToItsFirstEcho() {
        client(0, 1001, 100, 70, 9);
        client(3, 1101, 100, 70, 9); // in the same tick
        client(5, 1201, 100, 71, 9);
        server(10, 0, 500, 70);
        server(11, 0, 500, 70); // the same echo again
        server(25, 0, 501, 71);
        TcpRoundTrip roundTrip = analysis.roundTripByTimestamps(true);
        assertThat(roundTrip.samples()).isEqualTo(2);
        assertThat(roundTrip.minNs()).isEqualTo(10 * MS);
        assertThat(roundTrip.maxNs()).isEqualTo(20 * MS);
        assertThat(roundTrip.smoothedNs()).isEqualTo(11_250_000);
        // what the server sent were acknowledgments, which nobody answers
        assertThat(analysis.roundTripByTimestamps(false).samples()).isZero();
    }

    @Test
    void countsWhatWasSentAgain() {
        client(0, 1001, 100, 70, 9);
        client(300, 1001, 100, 370, 9);
        server(340, 0, 500, 370);
        assertThat(analysis.roundTripByTimestamps(true).samples()).isEqualTo(1);
        assertThat(analysis.roundTripByTimestamps(true).lastNs()).isEqualTo(40 * MS);
        assertThat(analysis.roundTrip(true).samples()).isZero();
    }

    @Test
    void measuresBothWaysAndFromTheSyn() {
        segment(true, 0, 1000, SYN, 0, 70, 0);
        segment(false, 8, 5000, SYN | ACK, 0, 500, 70);
        client(10, 1001, 0, 71, 500);
        client(12, 1001, 10, 72, 500);
        server(20, 10, 501, 72);
        client(21, 1011, 0, 73, 501);
        assertThat(analysis.roundTripByTimestamps(true).samples()).isEqualTo(2);
        assertThat(analysis.roundTripByTimestamps(true).meanNs()).isEqualTo(8 * MS);
        assertThat(analysis.roundTripByTimestamps(false).samples()).isEqualTo(2);
        assertThat(analysis.roundTripByTimestamps(false).maxNs()).isEqualTo(2 * MS);
        assertThat(analysis.roundTripByTimestamps(false).minNs()).isEqualTo(MS);
    }

    @Test
    void goesOnWhereTheClockWraps() {
        client(0, 1001, 100, 0xffff_ffffL, 9);
        client(5, 1101, 100, 0, 9);
        server(10, 0, 500, 0xffff_ffffL);
        server(15, 0, 500, 0);
        assertThat(analysis.roundTripByTimestamps(true).samples()).isEqualTo(2);
        assertThat(analysis.roundTripByTimestamps(true).maxNs()).isEqualTo(10 * MS);
    }

    @Test
    void readsOnlyWholeOptionsThatAreThere() {
        for (optionsLength = 0; optionsLength < 12; optionsLength++) {
            client(0, 1001, 100, 70, 9);
            server(10, 0, 500, 70);
        }
        assertThat(analysis.roundTripByTimestamps(true).samples()).isZero();
    }

    @Test
    void forgetsNothingAndGrowsByNothingWhereNobodyAnswers() {
        for (int i = 0; i < 1000; i++) {
            client(i, 1001 + i, 1, 70 + i, 9);
        }
        server(2000, 0, 500, 70); // the first ones still wait
        assertThat(analysis.roundTripByTimestamps(true).samples()).isEqualTo(1);
        assertThat(analysis.roundTripByTimestamps(true).lastNs()).isEqualTo(2000 * MS);
        server(2001, 0, 500, 70 + 999); // of the later ones no more than 16 wait
        assertThat(analysis.roundTripByTimestamps(true).samples()).isEqualTo(1);
        client(2002, 2001, 1, 2000, 9);
        server(2003, 0, 500, 2000);
        assertThat(analysis.roundTripByTimestamps(true).lastNs()).isEqualTo(MS);
    }
}
