package io.offhook.rtp.playout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The worked examples of docs/CALL-QUALITY.md, and what a jitter buffer does where a stream is not regular. */
class PlayoutTest {
    private static final int CLOCK = 8000;
    private static final int TICKS = 160;

    private final List<Integer> discarded = new ArrayList<>();

    private Playout fixed = new FixedPlayout(60);
    private final Playout adaptive = new AdaptivePlayout(40, 500);

    private void packet(Playout playout, int number, double mediaMs, double arrivalMs, int flags) {
        if (playout.packet(ns(arrivalMs), (int) (long) (mediaMs * 8), CLOCK, number, TICKS, flags)) {
            discarded.add(number);
        }
    }

    private static long ns(double ms) {
        return Math.round(ms * Playout.NS_PER_MS);
    }

    private void packet(Playout playout, int number, double mediaMs, double arrivalMs) {
        packet(playout, number, mediaMs, arrivalMs, 0);
    }

    @Test
    void fixedBufferDiscardsWhatComesAfterItsTime() {
        double[][] packets = {
            {1, 0, 0}, {2, 20, 20}, {3, 40, 45}, {4, 60, 150}, {5, 80, 151}, {6, 100, 152}, {8, 140, 153}
        };
        for (double[] packet : packets) {
            packet(fixed, (int) packet[0], packet[1], packet[2]);
        }
        packet(fixed, 7, 120, 185, Playout.REORDERED);
        packet(fixed, 9, 160, 160);
        packet(fixed, 10, 180, 245);
        assertThat(discarded).containsExactly(4, 5, 7, 10);
        assertThat(fixed.discarded()).isEqualTo(4);
        assertThat(fixed.played()).isEqualTo(6);
        assertThat(fixed.meanDelayMs()).isCloseTo((60 + 60 + 55 + 8 + 47 + 60) / 6.0, within(1e-9));
        assertThat(fixed.maxDelayMs()).isEqualTo(60);
        assertThat(fixed.resyncs(Resync.FIRST)).isEqualTo(1);
    }

    @Test
    void talkSpurtSetsTheOffsetAnewByItsMarkerOrByItsTimestamp() {
        for (int marker : new int[] {Playout.MARKER, 0}) {
            fixed = new FixedPlayout(60);
            discarded.clear();
            packet(fixed, 1, 0, 0);
            packet(fixed, 2, 20, 20);
            packet(fixed, 3, 40, 40);
            assertThat(fixed.meanDelayMs()).isEqualTo(60);
            packet(fixed, 4, 2040, 2110, marker);
            assertThat(fixed.meanDelayMs()).isEqualTo(60);
            packet(fixed, 5, 2060, 2112);
            packet(fixed, 6, 2080, 2120);
            assertThat(fixed.maxDelayMs()).isEqualTo(90);
            assertThat(fixed.meanDelayMs()).isEqualTo((4 * 60 + 78 + 90) / 6.0);
            packet(fixed, 7, 2100, 2235);
            assertThat(discarded).containsExactly(7);
        }
    }

    @Test
    void bufferThatStarvedBeginsAnewWhereTheSenderWentOnWithItsOldClock() {
        for (int k = 0; k < 20; k++) {
            packet(fixed, k, 20 * k, 20 * k + (k < 5 ? 0 : 400));
        }
        assertThat(discarded).containsExactly(5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
        assertThat(fixed.resyncs(Resync.STARVED)).isEqualTo(1);
        assertThat(fixed.meanDelayMs()).isEqualTo(60);
    }

    @Test
    void slowClockOfASenderCostsAStepOfTenMilliseconds() {
        for (int k = 0; k < 1500; k++) {
            packet(fixed, k, 20 * k, 20.02 * k);
            assertThat(fixed.skewSteps()).isEqualTo(k < 1000 ? 0 : k < 1499 ? 1 : 2);
        }
        assertThat(discarded).isEmpty();
    }

    @Test
    void adaptiveBufferGrowsAtOnceAndShrinksByTwoPercentOfTime() {
        double[][] packets = new double[150][];
        for (int k = 0; k < packets.length; k++) {
            double media = 20 * k;
            double transit = media >= 1000 && media < 2000 && k % 5 == 4 ? 70 : k == 110 ? 130 : 0;
            packets[k] = new double[] {k, media, media + transit};
        }
        java.util.Arrays.sort(packets, (a, b) -> Double.compare(a[2], b[2]));
        int highest = -1;
        double[] targets = new double[6];
        for (double[] packet : packets) {
            int number = (int) packet[0];
            packet(adaptive, number, packet[1], packet[2], number < highest ? Playout.REORDERED : 0);
            highest = Math.max(highest, number);
            targets[(int) packet[2] / 500] = adaptive.sizeMs();
        }
        assertThat(targets).containsExactly(80, 40, 40, 80, 80, 140);
        assertThat(discarded).containsExactly(54, 59, 64, 69, 110);
        assertThat(adaptive.played()).isEqualTo(145);
        assertThat(adaptive.meanDelayMs()).isCloseTo(82.97, within(0.005));

        discarded.clear();
        highest = -1;
        for (double[] packet : packets) {
            int number = (int) packet[0];
            packet(fixed, number, packet[1], packet[2], number < highest ? Playout.REORDERED : 0);
            highest = Math.max(highest, number);
        }
        assertThat(discarded).containsExactly(54, 59, 64, 69, 74, 79, 84, 89, 94, 99, 110);
    }

    @Test
    void adaptiveBufferKeepsItsOffsetWhileNothingArrives() {
        packet(adaptive, 0, 0, 0);
        packet(adaptive, 1, 20, 20);
        packet(adaptive, 2, 5020, 5020, 0); // the window closes; nothing came in the two seconds before
        assertThat(adaptive.sizeMs()).isEqualTo(40);
        assertThat(adaptive.maxDelayMs()).isEqualTo(80);
        assertThat(discarded).isEmpty();
    }

    @Test
    void timestampThatJumpsOrAnotherClockBeginsAnEpoch() {
        packet(fixed, 0, 0, 0);
        packet(fixed, 1, 50_000, 20);
        assertThat(fixed.resyncs(Resync.JUMP)).isEqualTo(1);
        fixed.packet(ns(40), 77, 16_000, 2, 320, 0);
        assertThat(fixed.resyncs(Resync.JUMP)).isEqualTo(2);
        assertThat(fixed.packet(ns(30), 77, CLOCK, 1, TICKS, Playout.REORDERED)).isFalse();
        assertThat(fixed.played()).isEqualTo(3);
        assertThat(fixed.discarded()).isZero();
    }

    @Test
    void timestampsWrapAround() {
        int timestamp = -2 * TICKS;
        for (int number = 0; number < 10; number++) {
            fixed.packet(ns(20 * number), timestamp + number * TICKS, CLOCK, number, TICKS, 0);
        }
        assertThat(fixed.meanDelayMs()).isEqualTo(60);
        assertThat(fixed.resyncs(Resync.JUMP)).isZero();
    }

    @Test
    void packetASecondTooLateOrTooEarlyBeginsAnEpoch() {
        packet(fixed, 0, 0, 0);
        packet(fixed, 1, 20, 1080);
        assertThat(fixed.resyncs(Resync.LATE)).isEqualTo(1);
        packet(fixed, 2, 2180, 1100); // due at 3300 ms, which is 1140 ms more than the buffer holds
        assertThat(fixed.resyncs(Resync.EARLY)).isEqualTo(1);
        assertThat(discarded).isEmpty();
    }

    @Test
    void restartOfTheSenderBeginsAnEpoch() {
        packet(fixed, 0, 0, 0);
        packet(fixed, 700, 20, 100, Playout.RESTARTED);
        assertThat(fixed.resyncs(Resync.RESTART)).isEqualTo(1);
        assertThat(discarded).isEmpty();
    }

    @Test
    void comfortNoiseIsNeverCountedAndThePacketAfterItBeginsASpurt() {
        packet(fixed, 0, 0, 0);
        packet(fixed, 1, 20, 120, Playout.COMFORT_NOISE);
        assertThat(fixed.discarded()).isZero();
        assertThat(fixed.played()).isEqualTo(1);
        packet(fixed, 2, 40, 150);
        assertThat(fixed.discarded()).isZero(); // the spurt made the buffer deeper
        assertThat(fixed.maxDelayMs()).isEqualTo(60);
    }

    @Test
    void settingsAreReadAsTheyAreWritten() {
        for (String text : List.of("off", "fixed:60", "fixed:20", "fixed:500", "adaptive", "adaptive:20-100")) {
            assertThat(JitterBuffer.parse(text)).hasToString(text);
        }
        for (String text : List.of(
                "",
                "on",
                "fixed",
                "fixed:",
                "fixed:19",
                "fixed:501",
                "fixed:6o",
                "adaptive:",
                "adaptive:60",
                "adaptive:100-50",
                "adaptive:10-50",
                "adaptive:50-5000",
                "fixed:-60")) {
            assertThat(JitterBuffer.parse(text)).as(text).isNull();
        }
        assertThat(JitterBuffer.OFF.playout()).isNull();
    }
}
