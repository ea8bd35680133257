package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.rtp.playout.JitterBuffer;
import io.offhook.rtp.quality.EModel;
import io.offhook.rtp.quality.Quality;
import io.offhook.rtp.quality.Rating;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A stream in intervals of five seconds, with the worked examples of docs/CALL-QUALITY.md. */
class StreamIntervalTest {
    private static final OneRow ROW = new OneRow();
    private static final long T0 = 1_700_000_000_000_000_000L;
    private static final long MS = 1_000_000;

    private RtpStream stream = new RtpStream(JitterBuffer.fixed(60), true);

    private void packet(int number, long arrivalMs) {
        packet(number, arrivalMs, 160);
    }

    private void packet(int number, long arrivalMs, int payloadLength) {
        ROW.packet(
                stream,
                T0 + arrivalMs * MS,
                number & 0xffff,
                number * 160L & 0xffff_ffffL,
                0,
                number == 0,
                payloadLength,
                number,
                number & 0xffff);
    }

    private PlayoutSummary playout() {
        PlayoutSummary playout = stream.playout();
        if (playout == null) {
            throw new AssertionError("no buffer");
        }
        return playout;
    }

    private static StreamInterval.Figures figures(StreamInterval interval) {
        StreamInterval.Figures figures = interval.figures();
        if (figures == null) {
            throw new AssertionError("no figures");
        }
        return figures;
    }

    @Test
    void rowsHaveTheLossTheDiscardsAndTheRunsOfTheirTime() {
        for (int number = 0; number < 750; number++) {
            boolean isLost = number == 10
                    || number == 20
                    || number >= 30 && number < 33 // row 0: 5 in runs 1, 1, 3
                    || number >= 300 && number < 312 // row 1: 12 in one run
                    || number >= 600 && number < 620
                    || number >= 700 && number < 720; // row 2: 40 in two runs
            if (!isLost && number != 51) {
                packet(number, number * 20L + (number == 50 ? 70 : 0));
            }
            if (number == 53) {
                packet(51, 1091); // 50 and 51 come too late to be played
            }
        }
        List<StreamInterval> rows = stream.intervals();
        assertThat(rows).extracting(StreamInterval::expected).containsExactly(250L, 250L, 250L);
        assertThat(rows).extracting(StreamInterval::lost).containsExactly(5L, 12L, 40L);
        assertThat(rows).extracting(StreamInterval::discarded).containsExactly(2L, 0L, 0L);
        assertThat(rows).extracting(StreamInterval::impairedRuns).containsExactly(4, 1, 2);
        double[] ppl = {2.8, 4.8, 16};
        double[] burstRatio = {1.7010, 11.4240, 16.8};
        double[] effective = {9.9454, 17.8682, 58.3440};
        double[] mos = {4.06, 3.73, 1.71};
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            StreamInterval row = rows.get(i);
            assertThat(row.impairedPercent()).isCloseTo(ppl[i], within(1e-9));
            assertThat(row.burstRatio()).isCloseTo(burstRatio[i], within(5e-5));
            Rating rating = EModel.rate(
                    new Codec("PCMU", 8000), row.impairedPercent(), row.burstRatio(), EModel.Conditions.DEFAULT);
            Quality quality = (Quality) rating;
            assertThat(quality.effectiveImpairment()).isCloseTo(effective[i], within(5e-5));
            assertThat(quality.mos()).isCloseTo(mos[i], within(0.005));
            sum += quality.mos();
        }
        assertThat(sum / 3).isCloseTo(3.17, within(0.005));
        assertThat(playout().discarded()).isEqualTo(2);
        assertThat(playout().impairedBursts().bursts()).isEqualTo(7);
    }

    @Test
    void holeBelongsToTheRowInWhichTheNextNumberArrived() {
        for (int number = 0; number < 260; number++) {
            if (number < 240 || number > 254) {
                packet(number, number * 20L);
            }
        }
        assertThat(stream.intervals()).extracting(StreamInterval::lost).containsExactly(0L, 15L);
        assertThat(stream.intervals()).extracting(StreamInterval::expected).containsExactly(240L, 20L);
    }

    @Test
    void numberThatCameLaterAfterAllIsNoLossAnywhere() {
        for (int number = 0; number < 300; number++) {
            if (number != 249) {
                packet(number, number * 20L);
            }
            if (number == 255) {
                packet(249, 255 * 20L + 1);
            }
        }
        assertThat(stream.intervals()).extracting(StreamInterval::lost).containsExactly(0L, 0L);
        assertThat(stream.intervals()).extracting(StreamInterval::expected).containsExactly(249L, 51L);
        assertThat(figures(stream.intervals().get(1)).reordered()).isEqualTo(1);
        assertThat(stream.intervals()).extracting(StreamInterval::discarded).containsExactly(0L, 1L);
    }

    @Test
    void rowWithoutPacketsIsThere() {
        packet(0, 0);
        packet(1, 20);
        packet(2, 17_000);
        List<StreamInterval> rows = stream.intervals();
        assertThat(rows).extracting(StreamInterval::expected).containsExactly(2L, 0L, 0L, 1L);
        assertThat(rows).extracting(StreamInterval::payloadType).containsExactly(0, -1, -1, 0);
        assertThat(rows)
                .extracting(StreamInterval::startNs)
                .containsExactly(T0, T0 + 5000 * MS, T0 + 10_000 * MS, T0 + 15_000 * MS);
        assertThat(rows.getLast().durationNs()).isEqualTo(2000 * MS);
        assertThat(figures(rows.get(1)).jitterMs()).isNaN();
        assertThat(figures(rows.get(1)).meanJitterMs()).isNaN();
        assertThat(figures(rows.get(3)).maxDeltaMs()).isEqualTo(16_980);
    }

    @Test
    void jitterOfARowIsThatAfterItsLastPacketItsMeanAndItsHighest() {
        for (int number = 0; number < 500; number++) {
            packet(number, number * 20L + (number == 300 ? 10 : 0));
        }
        StreamInterval.Figures first = figures(stream.intervals().get(0));
        StreamInterval.Figures second = figures(stream.intervals().get(1));
        assertThat(first.maxJitterMs()).isZero();
        double highest = 10 / 16.0 + (10 - 10 / 16.0) / 16;
        assertThat(second.maxJitterMs()).isCloseTo(highest, within(1e-6));
        assertThat(second.jitterMs()).isCloseTo(stream.jitterMs(), within(1e-6));
        assertThat(second.meanJitterMs() * 250 / 499).isCloseTo(stream.meanJitterMs(), within(1e-6));
        assertThat(stream.maxJitterMs()).isCloseTo(highest, within(1e-6));
        assertThat(second.maxDeltaMs()).isEqualTo(30);
        assertThat(first.maxDeltaMs()).isEqualTo(20);
    }

    @Test
    void burstsAndGapsAreThoseOfRfc3611() {
        List<Integer> lost = List.of(10, 40, 41, 45, 60, 90);
        for (int number = 1; number <= 100; number++) {
            if (!lost.contains(number)) {
                packet(number, number * 20L);
            }
        }
        BurstsAndGaps bursts = stream.burstsAndGaps();
        assertThat(bursts.bursts()).isEqualTo(1);
        assertThat(bursts.burstLossPercent()).isCloseTo(19.05, within(0.005));
        assertThat(bursts.meanBurstPackets() * 20).isEqualTo(420);
        assertThat(bursts.gaps()).isEqualTo(2);
        assertThat(bursts.gapLossPercent()).isCloseTo(2.53, within(0.005));
        assertThat(bursts.meanGapPackets() * 20).isEqualTo(790);
    }

    @Test
    void streamWithoutLossIsOneGap() {
        for (int number = 0; number < 10; number++) {
            packet(number, number * 20L);
        }
        assertThat(stream.burstsAndGaps().bursts()).isZero();
        assertThat(stream.burstsAndGaps().gaps()).isEqualTo(1);
        assertThat(stream.burstsAndGaps().meanGapPackets()).isEqualTo(10);
    }

    /** Whatever happens to the packets: with loss, disorder, duplicates, restarts and delays. */
    @Test
    void rowsAddUpToTheStream() {
        for (long seed = 0; seed < 300; seed++) {
            stream = new RtpStream(seed % 2 == 0 ? JitterBuffer.fixed(60) : JitterBuffer.DEFAULT, true);
            send(new Random(seed));
            List<StreamInterval> rows = stream.intervals();
            String as = "seed " + seed;
            assertThat(rows.stream().mapToLong(StreamInterval::expected).sum())
                    .as(as)
                    .isEqualTo(stream.expected());
            assertThat(rows.stream().mapToLong(StreamInterval::lost).sum())
                    .as(as)
                    .isEqualTo(stream.lost());
            assertThat(rows.stream().mapToLong(StreamInterval::discarded).sum())
                    .as(as)
                    .isEqualTo(playout().discarded());
            assertThat(rows.stream().mapToLong(row -> figures(row).packets()).sum())
                    .as(as)
                    .isEqualTo(stream.packets());
            assertThat(rows.stream().mapToLong(row -> figures(row).duplicates()).sum())
                    .as(as)
                    .isEqualTo(stream.duplicates());
            LossBursts impaired = playout().impairedBursts();
            assertThat(impaired.packets())
                    .as(as)
                    .isEqualTo(stream.lost() + playout().discarded());
            assertThat(stream.lossBursts().packets()).as(as).isEqualTo(stream.lost());
            // a run that lies in two rows is one in each
            assertThat(rows.stream().mapToLong(StreamInterval::impairedRuns).sum())
                    .as(as)
                    .isBetween(impaired.bursts(), impaired.bursts() + rows.size());
        }
    }

    private void send(Random random) {
        record Arrival(double atMs, int number) {}
        List<Arrival> arrivals = new ArrayList<>();
        int number = random.nextInt(65_536);
        double at = 0;
        for (int i = 0; i < 2000; i++) {
            at += 20;
            number++;
            if (random.nextInt(500) == 0) {
                at += random.nextInt(8000);
            }
            if (random.nextInt(400) == 0) {
                number += random.nextInt(60_000);
            }
            if (random.nextInt(20) != 0) {
                double delay = random.nextInt(10) == 0 ? random.nextInt(150) : random.nextInt(5);
                arrivals.add(new Arrival(at + delay, number));
                if (random.nextInt(50) == 0) {
                    arrivals.add(new Arrival(at + delay + random.nextInt(30), number));
                }
            }
        }
        arrivals.sort((a, b) -> Double.compare(a.atMs(), b.atMs()));
        arrivals.forEach(arrival -> packet(arrival.number(), (long) arrival.atMs()));
    }

    @Test
    void knowsTheTimesWithoutAudioAndWhetherSilenceWasSuppressed() {
        packet(0, 0);
        packet(1, 20);
        ROW.packet(stream, T0 + 4020 * MS, 2, (4020 / 20) * 160, 0, true, 160, 2, 2); // its clock went on
        ROW.packet(stream, T0 + 9020 * MS, 253, 9020 / 20 * 160, 0, false, 160, 3, 3); // and so did its numbers
        ROW.packet(stream, T0 + 9040 * MS, 254, 9040 / 20 * 160, 0, false, 0, 4, 4); // a keep-alive is no audio
        assertThat(stream.audioPauses()).hasSize(2);
        AudioPause suppressed = stream.audioPauses().get(0);
        assertThat(suppressed.durationNs()).isEqualTo(4000 * MS);
        assertThat(suppressed.missing()).isZero();
        assertThat(suppressed.isSuppressed()).isTrue();
        AudioPause outage = stream.audioPauses().get(1);
        assertThat(outage.missing()).isEqualTo(250);
        assertThat(outage.isSuppressed()).isFalse();
        assertThat(stream.firstAudioNs()).isEqualTo(T0);
        assertThat(stream.lastAudioNs()).isEqualTo(T0 + 9020 * MS);
    }

    /** As of an SRTP endpoint that is muted for a while, and then to the end. */
    @Test
    void takesPacketsWithNothingButTheirTagForNoAudio() {
        stream.tag(0, 10);
        int number = 0;
        for (int octets : new int[] {170, 10, 170, 11, 10}) {
            for (int i = 0; i < 150; i++) {
                ROW.packet(stream, T0 + 20L * number * MS, number, number * 160L, 0, false, octets, number, number);
                number++;
            }
        }
        assertThat(stream.audioPauses())
                .containsExactly(new AudioPause(T0 + 2980 * MS, T0 + 6000 * MS, 0, 150, 3020, false));
        assertThat(stream.lastAudioNs()).isEqualTo(T0 + 11_980 * MS);
        assertThat(stream.emptyPacketsAtEnd()).isEqualTo(150);
        assertThat(stream.lost()).isZero();
    }
}
