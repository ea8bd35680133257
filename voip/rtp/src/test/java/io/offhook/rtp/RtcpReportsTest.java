package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RtcpReportsTest {
    private static final long T0 = 1_700_000_000_000_000_000L;
    private static final long MS = 1_000_000;

    private final RtcpReports reports = new RtcpReports();

    private WrapStatus read(String hex, long arrivalNs) {
        MemorySegment packet = Octets.of(hex);
        return reports.read(packet, 0, Octets.length(packet), Octets.length(packet), arrivalNs);
    }

    private ReceptionSummary about(long ssrc) {
        return Objects.requireNonNull(reports.about(ssrc));
    }

    private RtcpParticipant participant(long ssrc) {
        return Objects.requireNonNull(reports.participant(ssrc));
    }

    @Test
    void reportsTheFarEndsViewByTheStreamsSsrc() {
        assertThat(read(RtcpReaderTest.RECEIVER_REPORT + RtcpReaderTest.DESCRIPTION, T0))
                .isEqualTo(WrapStatus.OK);
        reports.report(T0 + 5000 * MS, 0x22, 0x11, 64, 30, 0x10200, 80, 0, 0);
        ReceptionSummary summary = about(0x11);
        assertThat(summary.reporterSsrc()).isEqualTo(0x22);
        assertThat(summary.reports()).isEqualTo(2);
        assertThat(summary.lastLostPercent()).isEqualTo(25);
        assertThat(summary.maxLostPercent()).isEqualTo(25);
        assertThat(summary.meanLostPercent()).isEqualTo(100 * 36 / 256.0);
        assertThat(summary.cumulativeLost()).isEqualTo(30);
        assertThat(summary.highestSequenceNumber()).isEqualTo(0x10200);
        assertThat(summary.lastJitterMs(8000)).isEqualTo(10);
        assertThat(summary.maxJitterMs(8000)).isEqualTo(20);
        assertThat(summary.meanJitterMs(8000)).isEqualTo(15);
        assertThat(summary.firstNs()).isEqualTo(T0);
        assertThat(summary.lastNs()).isEqualTo(T0 + 5000 * MS);
        assertThat(participant(0x11).cname()).isEqualTo("a@b.c");
        assertThat(participant(0x22).cname()).isEqualTo("b");
        assertThat(reports.about(0x22)).isNull();
        assertThat(reports.summaries()).containsExactly(summary);
    }

    @Test
    void addsBothHalvesOfTheRoundTrip() {
        // A's report passes at 0, B answers after 500 ms: 40 ms to B and back; B's passes at 1000, A is 10 ms away
        reports.senderReport(T0, 0xA, 0x1111_0000L, 50, 8000);
        reports.report(T0 + 540 * MS, 0xB, 0xA, 0, 0, 100, 0, 0x1111_0000L, 65_536 / 2);
        assertThat(reports.roundTripMs(0xA)).isEmpty();
        reports.senderReport(T0 + 1000 * MS, 0xB, 0x2222_0000L, 50, 8000);
        reports.report(T0 + 1260 * MS, 0xA, 0xB, 0, 0, 100, 0, 0x2222_0000L, 65_536 / 4);
        assertThat(participant(0xB).roundTrip().lastMs()).isCloseTo(40, within(1e-6));
        assertThat(participant(0xA).roundTrip().lastMs()).isCloseTo(10, within(1e-6));
        assertThat(reports.roundTripMs(0xA).orElseThrow()).isCloseTo(50, within(1e-6));
        assertThat(reports.roundTripMs(0xB).orElseThrow()).isCloseTo(50, within(1e-6));
        assertThat(reports.roundTripMs(0xC)).isEmpty();
        assertThat(participant(0xA).packetCount()).isEqualTo(50);
        assertThat(participant(0xA).senderReports()).isEqualTo(1);
    }

    /** A's report passes, the clock of the capture is set by 5 s, B's answer passes: in one of a few round trips. */
    @Test
    void keepsTheRoundTripWhereTheClockOfTheCaptureWasSet() {
        for (int i = 1; i <= 3; i++) {
            long at = T0 + i * 5000L * MS;
            long setBy = i == 2 ? 5000 * MS : 0;
            reports.senderReport(at, 0xA, 2L * i, 50, 8000);
            reports.report(at + setBy + 40 * MS, 0xB, 0xA, 0, 0, 100, 0, 2L * i, 0);
            reports.senderReport(at, 0xB, 2L * i + 1, 50, 8000);
            reports.report(at + setBy + 10 * MS, 0xA, 0xB, 0, 0, 100, 0, 2L * i + 1, 0);
        }
        assertThat(reports.roundTripMs(0xA).orElseThrow()).isCloseTo(50, within(1e-6));
        assertThat(participant(0xB).roundTrip().maxMs()).isCloseTo(5040, within(1e-6));
    }

    @Test
    void takesTheMedianOfTheLastRoundTrips() {
        RtcpRoundTrip roundTrip = new RtcpRoundTrip();
        assertThat(roundTrip.medianMs()).isZero();
        roundTrip.add(T0, T0 + 30 * MS, 0);
        roundTrip.add(T0, T0 + 20 * MS, 0);
        assertThat(roundTrip.medianMs()).isEqualTo(20);
        for (int i = 0; i < 98; i++) {
            roundTrip.add(T0, T0 + (i < 66 ? 70 : 90) * MS, 0);
        }
        assertThat(roundTrip.count()).isEqualTo(100);
        assertThat(roundTrip.medianMs()).isEqualTo(70);
        roundTrip.add(T0, T0 + 90 * MS, 0);
        assertThat(roundTrip.medianMs()).isEqualTo(90);
    }

    @Test
    void findsTheRightOneOfSeveralReports() {
        for (int i = 1; i <= 5; i++) {
            reports.senderReport(T0 + i * 5000L * MS, 0xA, i, i, i);
        }
        reports.report(T0 + 5 * 5000L * MS + 30 * MS, 0xB, 0xA, 0, 0, 0, 0, 4, 5 * 65_536);
        assertThat(participant(0xB).roundTrip().lastMs()).isCloseTo(30, within(1e-6));
        reports.report(T0 + 40_000 * MS, 0xB, 0xA, 0, 0, 0, 0, 77, 0);
        assertThat(participant(0xB).roundTrip().count()).isEqualTo(1);
    }

    @Test
    void leavesOutRoundTripsThatCannotBe() {
        reports.senderReport(T0, 0xA, 7, 0, 0);
        reports.report(T0 + 100 * MS, 0xB, 0xA, 0, 0, 0, 0, 7, 65_536);
        assertThat(participant(0xB).roundTrip().count()).isZero();
        assertThat(participant(0xB).roundTrip().implausible()).isEqualTo(1);
        reports.report(T0 + 999 * MS, 0xB, 0xA, 0, 0, 0, 0, 7, 65_536);
        assertThat(participant(0xB).roundTrip().count()).isEqualTo(1);
        assertThat(participant(0xB).roundTrip().lastMs()).isZero();
    }

    @Test
    void measuresRoundTripsOfReceiversByReferenceTime() {
        read("80 cf 0004 0000000b 04 00 0002 0000e1e2 e3e40000", T0);
        read("80 cf 0005 0000000a 05 00 0003 0000000b e1e2e3e4 00008000", T0 + 525 * MS);
        assertThat(participant(0xA).roundTrip().lastMs()).isCloseTo(25, within(1e-6));
    }

    @Test
    void keepsVoipMetrics() {
        assertThat(read(RtcpReaderTest.VOIP_METRICS, T0)).isEqualTo(WrapStatus.OK);
        ReceptionSummary summary = about(0x11);
        assertThat(Objects.requireNonNull(summary.voipMetrics()).mosLq()).isEqualTo(40);
        assertThat(summary.minMosLq()).isEqualTo(40);
        assertThat(summary.minMosCq()).isEqualTo(38);
        assertThat(summary.minRFactor()).isEqualTo(85);
        assertThat(summary.reporterSsrc()).isEqualTo(0x22);
        assertThat(summary.reports()).isZero();
    }

    @Test
    void knowsWhoSaidByeAndWhy() {
        read(RtcpReaderTest.RECEIVER_REPORT + RtcpReaderTest.GOODBYE, T0 + 9 * MS);
        read(RtcpReaderTest.RECEIVER_REPORT + "81 cb 0001 00000011", T0 + 10 * MS);
        assertThat(participant(0x11).saidBye()).isTrue();
        assertThat(participant(0x11).byeReason()).isEqualTo("leave");
        assertThat(participant(0x11).byeNs()).isEqualTo(T0 + 9 * MS);
        assertThat(participant(0x22).saidBye()).isFalse();
    }

    @Test
    void takesNothingFromEncryptedReports() {
        String srtcp = RtcpReaderTest.RECEIVER_REPORT + "d2971c33a93f5f0e80000001 a1b2c3d4e5f60718293a";
        assertThat(read(srtcp, T0)).isEqualTo(WrapStatus.MALFORMED);
        assertThat(reports.undecodable()).isEqualTo(1);
        assertThat(reports.compounds()).isEqualTo(1);
        assertThat(reports.participants()).isEmpty();
        assertThat(reports.summaries()).isEmpty();
    }

    @Test
    void readsTheWholePacketsOfACutCompound() {
        MemorySegment packet = Octets.of(RtcpReaderTest.RECEIVER_REPORT + RtcpReaderTest.DESCRIPTION);
        assertThat(reports.read(packet.asSlice(0, 40), 0, 40, Octets.length(packet), T0))
                .isEqualTo(WrapStatus.TRUNCATED);
        assertThat(about(0x11).reports()).isEqualTo(1);
        assertThat(reports.participants()).hasSize(1);
    }

    @Test
    void makesRoomByForgettingTheSilent() {
        reports.report(T0, 1, 2, 0, 0, 0, 0, 0, 0);
        for (int i = 0; i < RtcpReports.LIMIT; i++) {
            reports.report(T0 + i + 1, 100 + i, 200 + i, 0, 0, 0, 0, 0, 0);
        }
        assertThat(reports.participants()).hasSize(RtcpReports.LIMIT);
        assertThat(reports.summaries()).hasSize(RtcpReports.LIMIT);
        assertThat(reports.participant(1)).isNull();
        assertThat(reports.about(2)).isNull();
        assertThat(reports.evicted()).isEqualTo(2);
    }

    @Test
    void knowsTheWorstReportsOfAStretchOfTime() {
        RtcpReports kept = new RtcpReports(true);
        kept.report(T0, 0x22, 0x11, 0, 0, 100, 80, 0, 0);
        kept.report(T0 + 1000 * MS, 0x22, 0x11, 64, 30, 200, 160, 0, 0);
        kept.report(T0 + 2000 * MS, 0x22, 0x11, 32, 40, 300, 40, 0, 0);
        kept.report(T0 + 5000 * MS, 0x22, 0x11, 255, 90, 400, 8000, 0, 0);
        ReceptionSummary summary = Objects.requireNonNull(kept.about(0x11));

        ReceptionInterval first = Objects.requireNonNull(summary.between(T0, T0 + 5000 * MS));

        assertThat(first.reports()).isEqualTo(3);
        assertThat(first.lostPercent()).isEqualTo(25);
        assertThat(first.jitterMs(8000)).isEqualTo(20);
        assertThat(first.discardPercent()).isNaN();
        assertThat(first.mosLq()).isEqualTo(VoipMetrics.UNAVAILABLE);
        assertThat(summary.between(T0 + 3000 * MS, T0 + 4000 * MS)).isNull();
        assertThat(summary.between(T0 + 5000 * MS, T0 + 6000 * MS)).isNotNull();
    }

    @Test
    void takesReportAndMetricsOfOnePacketForOneReport() {
        RtcpReports kept = new RtcpReports(true);
        MemorySegment packet = Octets.of(RtcpReaderTest.VOIP_METRICS);
        kept.report(T0, 0x22, 0x11, 64, 30, 200, 160, 0, 0);
        kept.read(packet, 0, Octets.length(packet), Octets.length(packet), T0);

        ReceptionInterval both =
                Objects.requireNonNull(Objects.requireNonNull(kept.about(0x11)).between(T0, T0 + 1));

        assertThat(both).isEqualTo(new ReceptionInterval(1, 25, 160, 2 * 100 / 256.0, 40, 38, 85));
    }

    @Test
    void keepsTotalsOnlyUnlessAskedForMore() {
        reports.report(T0, 0x22, 0x11, 64, 30, 200, 160, 0, 0);
        assertThat(about(0x11).between(T0 - MS, T0 + MS)).isNull();
    }
}
