package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RtpStreamTest {
    private static final OneRow ROW = new OneRow();

    private static final long T0 = 1_700_000_000_000_000_000L;
    private static final long MS = 1_000_000;

    private final RtpStream stream = new RtpStream();
    private int identification;

    /** A PCMU packet that comes when it should, of its own IP datagram. */
    private void packet(int number) {
        packet(number, T0 + number * 20L * MS, 0, identification++);
    }

    private void packet(int number, long arrivalNs, int payloadType, int ipIdentification) {
        ROW.packet(
                stream,
                arrivalNs,
                number & 0xffff,
                number * 160L & 0xffff_ffffL,
                payloadType,
                false,
                160,
                0xd5d5_d5d5_d5d5_d5d5L,
                ipIdentification);
    }

    private void packets(int from, int to) {
        for (int number = from; number <= to; number++) {
            packet(number);
        }
    }

    /** Packets that follow each other at once, whatever their numbers. */
    private void packets(int from, int to, long firstArrivalNs) {
        for (int number = from; number <= to; number++) {
            packet(number, firstArrivalNs + (number - from) * 20L * MS, 0, identification++);
        }
    }

    private void assertCounts(long packets, long expected, long lost, long duplicates) {
        assertThat(stream.packets()).isEqualTo(packets);
        assertThat(stream.expected()).isEqualTo(expected);
        assertThat(stream.lost()).isEqualTo(lost);
        assertThat(stream.duplicates()).isEqualTo(duplicates);
    }

    @Test
    void hasNoFiguresBeforeTheFirstPacket() {
        assertCounts(0, 0, 0, 0);
        assertThat(stream.lostPercent()).isZero();
        assertThat(stream.minDeltaMs()).isZero();
        assertThat(stream.meanDeltaMs()).isZero();
        assertThat(stream.isJitterKnown()).isFalse();
        assertThat(stream.mainPayload()).isNull();
        assertThat(stream.digits()).isEmpty();
        assertThat(stream.bitsPerSecond(40)).isZero();
        assertThat(stream.burstRatio()).isEqualTo(1);
    }

    @Test
    void measuresACleanStream() {
        packets(0, 99);
        assertCounts(100, 100, 0, 0);
        assertThat(stream.jitterMs()).isZero();
        assertThat(stream.isJitterKnown()).isTrue();
        assertThat(stream.minDeltaMs()).isEqualTo(20);
        assertThat(stream.meanDeltaMs()).isEqualTo(20);
        assertThat(stream.maxDeltaMs()).isEqualTo(20);
        assertThat(stream.firstNs()).isEqualTo(T0);
        assertThat(stream.lastNs()).isEqualTo(T0 + 99 * 20L * MS);
        assertThat(stream.firstTimestamp()).isZero();
        assertThat(stream.lastTimestamp()).isEqualTo(99 * 160);
        assertThat(stream.payloadOctets()).isEqualTo(16_000);
        assertThat(stream.bitsPerSecond(40)).isCloseTo(200 * 100 * 8 / 1.98, within(1e-6));
        assertThat(stream.mainPayload()).isEqualTo(new PayloadCount(0, new Codec("PCMU", 8000), 100));
    }

    @Test
    void countsLossesAsBursts() {
        packets(0, 9);
        packets(11, 20);
        packets(24, 40);
        packets(42, 60);
        assertCounts(56, 61, 5, 0);
        assertThat(stream.lossBursts()).hasToString("1x2 3x1");
        assertThat(stream.lossBursts().countOfLength(3)).isEqualTo(1);
        assertThat(stream.lossBursts().countOfLength(2)).isZero();
        assertThat(stream.lossBursts().longest()).isEqualTo(3);
        assertThat(stream.lossBursts().meanLength()).isCloseTo(5 / 3.0, within(1e-12));
        assertThat(stream.burstRatio()).isCloseTo(5 / 3.0 * (1 - 5 / 61.0), within(1e-12));
    }

    @Test
    void takesBackALossWhenThePacketComesAfterAll() {
        packets(0, 9);
        packets(11, 30);
        assertThat(stream.lost()).isEqualTo(1);
        packet(10);
        assertCounts(31, 31, 0, 0);
        assertThat(stream.reordered()).isEqualTo(1);
        assertThat(stream.lossBursts().bursts()).isZero();
    }

    @Test
    void doesNotLetDuplicatesMakeUpForLosses() {
        packets(0, 9);
        packets(12, 20);
        packet(19);
        packet(20);
        assertCounts(21, 21, 2, 2);
        assertThat(stream.cumulativeLost()).isZero();
        assertThat(stream.fractionLost()).isZero();
        assertThat(stream.mirrored()).isZero();
    }

    @Test
    void goesOnOverTheWrapAndBack() {
        packets(65_530, 65_540);
        packets(65_542, 65_550);
        packet(65_541);
        assertCounts(21, 21, 0, 0);
        assertThat(stream.lowestSequenceNumber()).isEqualTo(65_530);
        assertThat(stream.highestSequenceNumber()).isEqualTo(65_550);
    }

    @Test
    void beginsEarlierWhenAnEarlierPacketFollows() {
        packets(0, 3);
        packet(65_535 - 65_536);
        assertCounts(5, 5, 0, 0);
        assertThat(stream.lowestSequenceNumber()).isEqualTo(-1);
        assertThat(stream.reordered()).isEqualTo(1);
        // RFC 3550 counts from the first packet, whatever comes before it
        assertThat(stream.cumulativeLost()).isEqualTo(-1);
    }

    @Test
    void knowsASenderThatStartsOver() {
        packets(1000, 1100, T0);
        packets(30_000, 30_050, T0 + 101 * 20L * MS);
        packets(500, 520, T0 + 152 * 20L * MS);
        assertCounts(173, 173, 0, 0);
        assertThat(stream.restarts()).isEqualTo(2);
        assertThat(stream.strays()).isZero();
        assertThat(stream.late()).isZero();
        assertThat(stream.lowestSequenceNumber()).isEqualTo(500);
        assertThat(stream.jitterMs()).isZero();
    }

    @Test
    void knowsAFileThatIsPlayedAgain() {
        packets(0, 235);
        for (int number = 0; number <= 235; number++) {
            packet(number, T0 + (236 + number) * 20L * MS, 0, 7000 + number);
        }
        assertCounts(472, 472, 0, 0);
        assertThat(stream.restarts()).isEqualTo(1);
    }

    @Test
    void doesNotStartOverForASinglePacket() {
        packets(1000, 1100);
        packet(30_000, T0 + 1101 * 20L * MS - MS, 0, identification++);
        packets(1101, 1200);
        assertCounts(202, 201, 0, 0);
        assertThat(stream.strays()).isEqualTo(1);
        assertThat(stream.restarts()).isZero();
    }

    @Test
    void calls100PacketsBackADuplicateAnd600PacketsBackLate() {
        packets(1, 1000);
        packet(850);
        packet(1001);
        packet(300);
        packet(1002);
        assertCounts(1004, 1002, 0, 1);
        assertThat(stream.late()).isEqualTo(1);
        assertThat(stream.restarts()).isZero();
    }

    @Test
    void startsOverOnceTheGapIsTooLongForALoss() {
        packets(0, 10);
        packets(10 + 2999, 3020);
        assertThat(stream.lost()).isEqualTo(2998);
        assertThat(stream.restarts()).isZero();
        packets(3020 + 3000, 6030, T0 + 3021 * 20L * MS);
        assertThat(stream.lost()).isEqualTo(2998);
        assertThat(stream.restarts()).isEqualTo(1);
        assertThat(stream.lossBursts()).hasToString("2998x1");
    }

    @Test
    void countsALongOutageAsLossIfTimestampAndArrivalAdvanceAsTheNumbersDo() {
        packets(0, 10);
        packets(11 + 32_000, 32_100);
        assertThat(stream.lost()).isEqualTo(32_000);
        assertThat(stream.restarts()).isZero();
        assertThat(stream.lossBursts()).hasToString("32000x1");
    }

    @Test
    void takesALongerOutageThanTheNumbersCanTellForARestart() {
        packets(0, 10);
        packets(10 + 32_768, 32_790);
        assertThat(stream.restarts()).isEqualTo(1);
        assertThat(stream.lost()).isZero();
    }

    @Test
    void givesNoNegativeTimeWhereTheClockWasSetBack() {
        for (int number = 0; number < 100; number++) {
            long setNs = number < 50 ? 0 : -3_600_000L * MS;
            packet(number, T0 + number * 20L * MS + setNs, 0, number);
        }
        assertCounts(100, 100, 0, 0);
        assertThat(stream.minDeltaMs()).isEqualTo(20);
        assertThat(stream.maxDeltaMs()).isEqualTo(20);
        assertThat(stream.meanDeltaMs()).isNotNegative();
    }

    @Test
    void keepsApartWhatAMirrorPortDeliversTwice() {
        for (int number = 0; number < 50; number++) {
            packet(number, T0 + number * 20L * MS, 0, number);
            packet(number, T0 + number * 20L * MS + MS, 0, number);
        }
        assertCounts(100, 50, 0, 50);
        assertThat(stream.mirrored()).isEqualTo(50);
        assertThat(stream.jitterMs()).isZero();
        assertThat(stream.minDeltaMs()).isEqualTo(20);
        assertThat(stream.meanDeltaMs()).isEqualTo(20);
        assertThat(stream.mainPayload()).isEqualTo(new PayloadCount(0, new Codec("PCMU", 8000), 100));
    }

    @Test
    void knowsMirroredPacketsThatCameInAGroup() {
        for (int round = 0; round < 3; round++) {
            for (int copy = 0; copy < 2; copy++) {
                for (int i = 0; i < 4; i++) {
                    packet(4 * round + i, T0 + round * 33L * MS + copy * MS + i * 1000L, 34, -1);
                }
            }
        }
        assertCounts(24, 12, 0, 12);
        assertThat(stream.mirrored()).isEqualTo(12);
    }

    @Test
    void doesNotTakeOtherDuplicatesForMirrored() {
        packet(0, T0, 0, 1);
        packet(0, T0 + MS, 0, 2);
        packet(0, T0 + 3 * MS, 8, 1);
        packet(1, T0 + 20 * MS, 0, 3);
        packet(1, T0 + 20 * MS + RtpStream.IDENTIFIED_MIRROR_NS + 20_000, 0, 3);
        packet(2, T0 + 40 * MS, 0, -1);
        packet(2, T0 + 40 * MS + RtpStream.MIRROR_NS + 20_000, 0, -1);
        assertCounts(7, 3, 0, 4);
        assertThat(stream.mirrored()).isZero();
    }

    @Test
    void takesCopiesOfASecondPlaceOfCaptureForMirrored() {
        for (int number = 0; number < 50; number++) {
            packet(number, T0 + number * 20L * MS, 0, 1 + number);
            if (number >= 4) {
                packet(number - 4, T0 + number * 20L * MS + 7 * MS, 0, 1 + number - 4);
            }
        }
        assertCounts(96, 50, 0, 46);
        assertThat(stream.mirrored()).isEqualTo(46);
        assertThat(stream.jitterMs()).isZero();
        assertThat(stream.maxDeltaMs()).isEqualTo(20);
    }

    @Test
    void doesNotTakeSilenceForLoss() {
        packets(0, 99);
        for (int number = 100; number < 120; number++) {
            long later = 30_000 * MS;
            ROW.packet(
                    stream,
                    T0 + number * 20L * MS + later,
                    number,
                    number * 160L + 240_000,
                    0,
                    number == 100,
                    160,
                    0,
                    identification++);
        }
        assertCounts(120, 120, 0, 0);
        assertThat(stream.markers()).isEqualTo(1);
        assertThat(stream.maxJitterMs()).isZero();
        assertThat(stream.maxDeltaMs()).isEqualTo(30_020);
    }

    @Test
    void leavesTimestampsThatStartOverOutOfJitter() {
        packets(0, 99);
        for (int number = 100; number < 120; number++) {
            long timestamp = 4_000_000_000L + number * 160L;
            ROW.packet(stream, T0 + number * 20L * MS, number, timestamp, 0, false, 160, 0, identification++);
        }
        assertThat(stream.timestampJumps()).isEqualTo(1);
        assertThat(stream.maxJitterMs()).isZero();
    }

    @Test
    void smoothsJitterBySixteenths() {
        packet(0, T0, 0, 1);
        packet(1, T0 + 36 * MS, 0, 2);
        assertThat(stream.jitterMs()).isCloseTo(1, within(1e-9));
        packet(2, T0 + 40 * MS, 0, 3);
        assertThat(stream.jitterMs()).isCloseTo(1 + 15 / 16.0, within(1e-9));
        packet(3, T0 + 60 * MS, 0, 4);
        assertThat(stream.jitterMs()).isCloseTo((1 + 15 / 16.0) * 15 / 16, within(1e-9));
        assertThat(stream.maxJitterMs()).isCloseTo(1 + 15 / 16.0, within(1e-9));
        assertThat(stream.skewMs()).isCloseTo(0, within(1e-9));
    }

    @Test
    void countsEachPayloadTypeByItsOwnClock() {
        stream.codec(96, new Codec("opus", 48_000, 2));
        for (int number = 0; number < 50; number++) {
            packet(number, T0 + number * 20L * MS, 0, number);
        }
        for (int number = 50; number < 120; number++) {
            ROW.packet(stream, T0 + number * 20L * MS, number, 77_000 + number * 960L, 96, false, 80, 0, number);
        }
        assertThat(stream.maxJitterMs()).isZero();
        assertThat(stream.payloads())
                .containsExactly(
                        new PayloadCount(96, new Codec("opus", 48_000, 2), 70),
                        new PayloadCount(0, new Codec("PCMU", 8000), 50));
        assertThat(stream.mainPayload()).isEqualTo(new PayloadCount(96, new Codec("opus", 48_000, 2), 70));
    }

    @Test
    void saysWhatItCouldNotMeasureForWantOfACodec() {
        for (int number = 0; number < 1000; number++) {
            packet(number, T0 + number * 25L * MS, 96, number);
        }
        assertThat(stream.isJitterKnown()).isFalse();
        assertThat(stream.untimedPackets()).isEqualTo(1000);
        stream.codec(96, new Codec("PCMU", 8000));
        for (int number = 1000; number < 1100; number++) {
            packet(number, T0 + number * 25L * MS, 96, number);
        }
        assertThat(stream.isJitterKnown()).isTrue();
        assertThat(stream.untimedPackets()).isEqualTo(1000);
        assertThat(stream.jitterMs()).isCloseTo(5 * (1 - Math.pow(15 / 16.0, 99)), within(1e-9));
    }

    @Test
    void hasNoJitterByAClockThatWasAnotherCalls() {
        stream.codec(96, new Codec("opus", 48_000, 2));
        for (int number = 0; number < 100; number++) {
            packet(number, T0 + number * 20L * MS, 96, number);
        }
        assertThat(stream.meanJitterMs()).isGreaterThan(1); // by a clock six times too fast
        stream.correctCodec(96, new Codec("iLBC", 8000));
        assertThat(stream.isJitterKnown()).isFalse();
        assertThat(stream.meanJitterMs()).isZero();
        assertThat(stream.untimedPackets()).isEqualTo(100);
        assertThat(stream.mainPayload()).isEqualTo(new PayloadCount(96, new Codec("iLBC", 8000), 100));
    }

    @Test
    void keepsTheJitterWhereOnlyTheNameWasWrong() {
        stream.codec(96, new Codec("speex", 8000));
        for (int number = 0; number < 100; number++) {
            packet(number, T0 + number * 25L * MS, 96, number);
        }
        double jitterMs = stream.jitterMs();
        stream.correctCodec(96, new Codec("iLBC", 8000));
        assertThat(stream.jitterMs()).isEqualTo(jitterMs).isGreaterThan(4);
        assertThat(stream.untimedPackets()).isZero();
        assertThat(stream.payloads()).containsExactly(new PayloadCount(96, new Codec("iLBC", 8000), 100));
    }

    @Test
    void reportsWhenMediaEndedWhereKeyPressesGoOn() {
        assertThat(stream.lastMediaNs()).isEqualTo(Long.MIN_VALUE);
        stream.codec(101, new Codec("telephone-event", 8000));
        packet(0, T0, 101, 0);
        assertThat(stream.lastMediaNs()).isEqualTo(Long.MIN_VALUE);
        packet(1, T0 + 20 * MS, 0, 1);
        packet(2, T0 + 40 * MS, 13, 2);
        packet(3, T0 + 60 * MS, 101, 3);
        assertThat(stream.lastMediaNs()).isEqualTo(T0 + 40 * MS);
    }

    @Test
    void prefersMediaAsTheMainPayload() {
        stream.codec(101, new Codec("telephone-event", 8000));
        packet(0, T0, 18, 0);
        for (int number = 1; number < 10; number++) {
            packet(number, T0 + number * 20L * MS, number % 2 == 0 ? 13 : 101, number);
        }
        assertThat(stream.mainPayload()).isEqualTo(new PayloadCount(18, new Codec("G729", 8000), 1));
        assertThat(stream.comfortNoisePackets()).isEqualTo(4);
    }

    @Test
    void countsPayloadTypesBeyondItsLimit() {
        for (int number = 0; number < 12; number++) {
            packet(number, T0 + number * 20L * MS, 100 + number, number);
        }
        assertThat(stream.payloads()).hasSize(PayloadTimeline.LIMIT);
        assertThat(stream.untimedPackets()).isEqualTo(12);
        stream.codec(111, new Codec("PCMU", 8000)); // one that found no place
        assertThat(stream.untimedPackets()).isEqualTo(12);
        assertCounts(12, 12, 0, 0);
    }

    @Test
    void reportsTheLossOfEveryFiveSeconds() {
        for (int number = 0; number < 1000; number++) {
            boolean lost = number >= 300 && number < 400 && number % 4 == 0;
            if (!lost) {
                packet(number);
            }
        }
        // 250 packets in five seconds: 25 of the second interval's were lost
        assertThat(stream.maxIntervalFractionLost()).isEqualTo(25 * 256 / 250);
        assertThat(stream.intervalFractionLost()).isZero();
        assertThat(stream.cumulativeLost()).isEqualTo(25);
        assertThat(stream.fractionLost()).isEqualTo(25 * 256 / 1000);
    }

    @Test
    void hasNoIntervalBeforeFiveSeconds() {
        packets(0, 200);
        assertThat(stream.intervalFractionLost()).isEqualTo(-1);
        assertThat(stream.maxIntervalFractionLost()).isEqualTo(-1);
    }

    @Test
    void keepsLongHistogramsWithinBounds() {
        int number = 0;
        for (int length = 1; length <= 100; length++) {
            packet(number++);
            number += length;
        }
        packet(number);
        assertThat(stream.lossBursts().lengths()).isEqualTo(LossBursts.MAX_LENGTHS);
        assertThat(stream.lossBursts().bursts()).isEqualTo(100);
        assertThat(stream.lossBursts().unlisted()).isEqualTo(36);
        assertThat(stream.lossBursts().packets()).isEqualTo(5050);
        assertThat(stream.lost()).isEqualTo(5050);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0x7fff, 0x8000, 0xffff})
    void doesNotTakeAPacketWithAnotherTimestampForMirrored(int number) {
        ROW.packet(stream, T0, number, 160, 0, false, 160, 1, 0);
        ROW.packet(stream, T0 + MS, number, 320, 0, false, 160, 1, 0);
        ROW.packet(stream, T0 + 2 * MS, number, 320, 0, false, 160, 1, 0);
        assertThat(stream.duplicates()).isEqualTo(2);
        assertThat(stream.mirrored()).isEqualTo(1);
    }
}
