package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The rules of Wireshark's figures one by one; {@link WiresharkTruthTest} holds the whole against tshark. */
class WiresharkStreamTest {
    private static final OneRow ROW = new OneRow();

    private static final long MS = 1_000_000;

    private final WiresharkStream stream = new WiresharkStream(0);

    private void packet(int number, long arrivalNs) {
        packet(number, arrivalNs, number * 160L & 0xffff_ffffL, 0, false);
    }

    private void packet(int number, long arrivalNs, long timestamp, int payloadType, boolean marker) {
        ROW.packet(stream, arrivalNs, number & 0xffff, timestamp, payloadType, marker, 172, false, null);
    }

    @Test
    void hasNoFiguresBeforeTheFirstPacket() {
        assertThat(stream.packets()).isZero();
        assertThat(stream.expected()).isZero();
        assertThat(stream.lost()).isZero();
        assertThat(stream.lostPercent()).isZero();
        assertThat(stream.minDeltaMs()).isEqualTo(-1);
        assertThat(stream.minJitterMs()).isEqualTo(-1);
        assertThat(stream.clockDriftMs()).isZero();
        assertThat(stream.bandwidthKbps()).isZero();
    }

    @Test
    void endsAtTheLastNumberSeenNotAtTheHighest() {
        packet(0, 0);
        packet(2, 40 * MS);
        packet(1, 45 * MS);
        assertThat(stream.expected()).isEqualTo(2);
        assertThat(stream.lost()).isEqualTo(-1);
        assertThat(stream.lostPercent()).isEqualTo(-50);
        assertThat(stream.sequenceErrors()).isEqualTo(2);
    }

    @Test
    void countsACycleOnce() {
        for (int number = 65_530; number < 65_536 + 20; number++) {
            packet(number, number * 20L * MS);
        }
        assertThat(stream.expected()).isEqualTo(26);
        assertThat(stream.lost()).isZero();
        assertThat(stream.sequenceErrors()).isZero();
    }

    @Test
    void leavesMarkersAndComfortNoiseOutOfTheFigures() {
        packet(0, 0);
        packet(1, 500 * MS, 160, 0, true);
        packet(2, 800 * MS, 320, 13, false);
        packet(3, 900 * MS, 480, 0, false);
        assertThat(stream.minDeltaMs()).isEqualTo(-1);
        assertThat(stream.maxDeltaMs()).isZero();
        packet(4, 920 * MS, 640, 0, false);
        assertThat(stream.minDeltaMs()).isEqualTo(20);
        assertThat(stream.maxDeltaMs()).isEqualTo(20);
        // one value, but four packets before it
        assertThat(stream.meanDeltaMs()).isEqualTo(5);
    }

    @Test
    void hasNoJitterWithoutAClock() {
        packet(0, 0, 0, 97, false);
        packet(1, 25 * MS, 160, 97, false);
        assertThat(stream.minJitterMs()).isEqualTo(-1);
        assertThat(stream.meanJitterMs()).isZero();
        assertThat(stream.maxJitterMs()).isZero();
        assertThat(stream.meanDeltaMs()).isEqualTo(25);
    }

    @Test
    void countsWholeKilohertzOfTheClock() {
        // 11,025 Hz counts as 11 ticks a millisecond
        packet(0, 0, 0, 16, false);
        packet(1, 20 * MS, 220, 16, false);
        assertThat(stream.maxJitterMs()).isZero();
        packet(2, 56 * MS, 440, 16, false);
        assertThat(stream.maxJitterMs()).isEqualTo(1);
        assertThat(stream.skewMs()).isEqualTo(-16);
        assertThat(stream.maxSkewMs()).isEqualTo(-16);
    }

    @Test
    void leavesPacketsBeforeTheFirstTimestampOut() {
        packet(0, 0, 1000, 0, false);
        packet(1, 20 * MS, 1160, 0, false);
        packet(2, 90 * MS, 900, 0, false);
        packet(3, 60 * MS, 1480, 0, false);
        assertThat(stream.maxDeltaMs()).isEqualTo(40);
        assertThat(stream.maxJitterMs()).isZero();
        assertThat(stream.packets()).isEqualTo(4);
        assertThat(stream.sequenceErrors()).isEqualTo(2);
    }

    @Test
    void measuresDriftAndBandwidth() {
        for (int number = 0; number < 500; number++) {
            packet(number, number * 20_020_000L);
        }
        // the sender's 20 ms take 20.02 ms
        double duration = 499 * 20.02;
        assertThat(stream.clockDriftMs()).isCloseTo(duration * (20 / 20.02 - 1), within(1e-3));
        assertThat(stream.bandwidthKbps()).isCloseTo(50 * 200 * 8 / 1000.0, within(1e-9));
    }

    @Test
    void countsBandwidthOfFastStreamsWithinItsLimit() {
        for (int number = 0; number < 3 * Bandwidth.LIMIT; number++) {
            packet(number, number * 100_000L);
        }
        assertThat(stream.bandwidthKbps()).isEqualTo(Bandwidth.LIMIT * 200 * 8 / 1000.0);
    }
}
