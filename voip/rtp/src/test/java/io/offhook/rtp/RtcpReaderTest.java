package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RtcpReaderTest {
    static final String SENDER_REPORT = "81 c8 000c 00000011 e1e2e3e4 80000000 0000a000 00000064 00003e80"
            + " 00000022 40 ffffff 0001ffff 00000050 e3e48000 00010000";
    static final String RECEIVER_REPORT = "81 c9 0007 00000022 00000011 08 000005 00010010 000000a0 e3e48000 00008000";
    static final String DESCRIPTION = "82 ca 0006 00000011 01 05 6140622e63 06 02 7831 00 00000022 01 01 62 00";
    static final String GOODBYE = "81 cb 0003 00000011 05 6c65617665 0000";
    static final String VOIP_METRICS = "80 cf 000a 00000022 07 00 0008 00000011 0d 02 1a 01 00c8 1388 0050 0064"
            + " ec c4 23 10 55 7f 28 26 b0 00 003c 0078 00c8";

    private final RtcpReader reader = new RtcpReader();
    private final RtcpView rtcp = new RtcpView();

    private void first(String hex) {
        MemorySegment packet = Octets.of(hex);
        assertThat(reader.wrap(packet, 0, Octets.length(packet))).isEqualTo(WrapStatus.OK);
        assertThat(reader.next(rtcp)).isEqualTo(WrapStatus.OK);
    }

    @Test
    void readsASenderReport() {
        first(SENDER_REPORT);
        assertThat(rtcp.packetTypeName()).isEqualTo("SR");
        assertThat(rtcp.packetLength()).isEqualTo(52);
        assertThat(rtcp.senderSsrc()).isEqualTo(0x11);
        assertThat(rtcp.ntpTimestamp()).isEqualTo(0xe1e2_e3e4_8000_0000L);
        assertThat(rtcp.ntpMiddle()).isEqualTo(0xe3e4_8000L);
        assertThat(rtcp.rtpTimestamp()).isEqualTo(0xa000);
        assertThat(rtcp.packetCount()).isEqualTo(100);
        assertThat(rtcp.octetCount()).isEqualTo(16_000);
        assertThat(rtcp.reportCount()).isEqualTo(1);
        assertThat(rtcp.reportSsrc(0)).isEqualTo(0x22);
        assertThat(rtcp.fractionLost(0)).isEqualTo(64);
        assertThat(rtcp.cumulativeLost(0)).isEqualTo(-1);
        assertThat(rtcp.highestSequenceNumber(0)).isEqualTo(0x1ffff);
        assertThat(rtcp.jitter(0)).isEqualTo(80);
        assertThat(rtcp.lastSenderReport(0)).isEqualTo(0xe3e4_8000L);
        assertThat(rtcp.delaySinceLastSenderReport(0)).isEqualTo(0x10000);
        assertThatThrownBy(() -> rtcp.reportSsrc(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** After OK every accessor is in bounds: what a packet of its type has not reads 0. */
    @Test
    void staysWithinAPacketThatHasNoSuchField() {
        for (String hex : new String[] {"80 c9 0001 00000022", "80 ca 0000", "80 cb 0000", "80 c0 0000"}) {
            first(hex);
            assertThat(rtcp.ntpTimestamp() | rtcp.ntpMiddle() | rtcp.rtpTimestamp())
                    .isZero();
            assertThat(rtcp.packetCount() | rtcp.octetCount() | rtcp.mediaSsrc())
                    .isZero();
            assertThat(rtcp.senderSsrc()).isEqualTo(rtcp.packetType() == RtcpView.RECEIVER_REPORT ? 0x22 : 0);
            assertThat(rtcp.applicationName() + rtcp.byeReason()).isEmpty();
            assertThatThrownBy(() -> rtcp.byeSource(0)).isInstanceOf(IndexOutOfBoundsException.class);
            XrReader xr = new XrReader();
            xr.wrap(rtcp);
            assertThat(xr.next()).isFalse();
            assertThat(xr.blockType() | xr.typeSpecific() | xr.blockLength()).isZero();
            assertThat(xr.ssrc() | xr.ntpTimestamp() | xr.beginSequence() | xr.maxJitter())
                    .isZero();
        }
    }

    @Test
    void blocksHaveTheirOwnFieldsAlone() {
        first("80 cf 0002 00000022 0b 60 0000"); // a block of an unknown type, of four octets, at the packet's end
        XrReader xr = new XrReader();
        xr.wrap(rtcp);
        assertThat(xr.next()).isTrue();
        assertThat(xr.typeSpecific()).isEqualTo(0x60);
        assertThat(xr.hasDuplicates() || xr.hasJitter() || xr.hasLosses()).isFalse();
        assertThat(xr.ssrc() | xr.ntpTimestamp() | xr.endSequence() | xr.lostPackets() | xr.dlrrCount())
                .isZero();
        assertThat(xr.voipMetrics().ssrc()).isZero();
        assertThat(xr.next()).isFalse();
        assertThat(xr.blockType() | xr.blockLength()).isZero();
    }

    @Test
    void nothingIsLeftOfTheItemBefore() {
        first(DESCRIPTION);
        SdesReader sdes = new SdesReader();
        sdes.wrap(rtcp);
        assertThat(sdes.next()).isTrue();
        assertThat(sdes.text()).isEqualTo("a@b.c");
        first("81 ca 0002 00000011 01 ff 6162"); // an item that goes on for 255 octets
        sdes.wrap(rtcp);
        assertThat(sdes.text()).isEmpty();
        assertThat(sdes.next()).isFalse();
        assertThat(sdes.text()).isEmpty();
        assertThat(sdes.ssrc() + sdes.type()).isZero();
    }

    @Test
    void readsAReceiverReport() {
        first(RECEIVER_REPORT);
        assertThat(rtcp.packetTypeName()).isEqualTo("RR");
        assertThat(rtcp.reportSsrc(0)).isEqualTo(0x11);
        assertThat(rtcp.cumulativeLost(0)).isEqualTo(5);
        assertThat(rtcp.jitter(0)).isEqualTo(160);
    }

    @Test
    void readsDescriptionsChunkByChunk() {
        first(DESCRIPTION);
        SdesReader sdes = new SdesReader();
        sdes.wrap(rtcp);
        List<String> items = new ArrayList<>();
        while (sdes.next()) {
            items.add(sdes.ssrc() + " " + sdes.type() + " " + sdes.text());
        }
        assertThat(items).containsExactly("17 1 a@b.c", "17 6 x1", "34 1 b");
    }

    @Test
    void readsAGoodbyeWithItsReason() {
        first(GOODBYE);
        assertThat(rtcp.byeSource(0)).isEqualTo(0x11);
        assertThat(rtcp.byeReason()).isEqualTo("leave");
        first("81 cb 0001 00000011");
        assertThat(rtcp.byeReason()).isEmpty();
        first("81 cb 0002 00000011 ff 616263");
        assertThat(rtcp.byeReason()).isEmpty();
    }

    @Test
    void readsApplicationAndFeedback() {
        first("83 cc 0002 00000011 71746c6b");
        assertThat(rtcp.packetTypeName()).isEqualTo("APP");
        assertThat(rtcp.applicationName()).isEqualTo("qtlk");
        assertThat(rtcp.count()).isEqualTo(3);
        first("81 ce 0002 00000011 00000022");
        assertThat(rtcp.feedbackName()).isEqualTo("PLI");
        assertThat(rtcp.mediaSsrc()).isEqualTo(0x22);
        first("8f cd 0003 00000011 00000022 00000000");
        assertThat(rtcp.feedbackName()).isEqualTo("TWCC");
        first("9e cd 0002 00000011 00000022");
        assertThat(rtcp.feedbackName()).isEqualTo("RTPFB-30");
    }

    @Test
    void readsVoipMetrics() {
        first(VOIP_METRICS);
        assertThat(rtcp.packetTypeName()).isEqualTo("XR");
        XrReader xr = new XrReader();
        xr.wrap(rtcp);
        assertThat(xr.next()).isTrue();
        assertThat(xr.blockTypeName()).isEqualTo("VoIP Metrics");
        VoipMetrics expected = new VoipMetrics(
                0x11,
                13,
                2,
                new VoipMetrics.Bursts(26, 1, 200, 5000, 16),
                80,
                100,
                new VoipMetrics.Levels(-20, -60, 35),
                85,
                127,
                40,
                38,
                0xb0,
                new VoipMetrics.JitterBufferDelay(60, 120, 200));
        assertThat(xr.voipMetrics()).isEqualTo(expected);
        assertThat(xr.voipMetrics().hasMosLq()).isTrue();
        assertThat(xr.voipMetrics().unheardPercent()).isEqualTo(15 * 100 / 256.0);
        assertThat(xr.next()).isFalse();
        assertThat(xr.malformed()).isZero();
    }

    @Test
    void readsTheOtherExtendedReports() {
        first("80 cf 0013 00000022"
                + " 04 00 0002 e1e2e3e4 80000000"
                + " 05 00 0003 00000011 e3e48000 00010000"
                + " 06 e8 0009 00000011 000a 0014 00000003 00000001 00000005 00000032 0000000f 00000007 40404040"
                + " ff 00 0000");
        XrReader xr = new XrReader();
        xr.wrap(rtcp);
        assertThat(xr.next()).isTrue();
        assertThat(xr.ntpTimestamp()).isEqualTo(0xe1e2_e3e4_8000_0000L);
        assertThat(xr.dlrrCount()).isZero();
        assertThat(xr.next()).isTrue();
        assertThat(xr.dlrrCount()).isEqualTo(1);
        assertThat(xr.dlrrSsrc(0)).isEqualTo(0x11);
        assertThat(xr.lastReceiverReport(0)).isEqualTo(0xe3e4_8000L);
        assertThat(xr.delaySinceLastReceiverReport(0)).isEqualTo(65_536);
        assertThat(xr.next()).isTrue();
        assertThat(xr.ssrc()).isEqualTo(0x11);
        assertThat(xr.beginSequence()).isEqualTo(10);
        assertThat(xr.endSequence()).isEqualTo(20);
        assertThat(xr.hasLosses()).isTrue();
        assertThat(xr.hasDuplicates()).isTrue();
        assertThat(xr.hasJitter()).isTrue();
        assertThat(xr.lostPackets()).isEqualTo(3);
        assertThat(xr.duplicatePackets()).isEqualTo(1);
        assertThat(xr.minJitter()).isEqualTo(5);
        assertThat(xr.maxJitter()).isEqualTo(50);
        assertThat(xr.meanJitter()).isEqualTo(15);
        assertThat(xr.jitterDeviation()).isEqualTo(7);
        assertThat(xr.next()).isTrue();
        assertThat(xr.blockTypeName()).isEqualTo("255");
        assertThat(xr.next()).isFalse();
    }

    @Test
    void skipsExtendedReportsThatAreTooShort() {
        first("80 cf 0005 00000022 07 00 0000 05 00 0000 07 00 ffff 00000000");
        XrReader xr = new XrReader();
        xr.wrap(rtcp);
        assertThat(xr.next()).isTrue();
        assertThat(xr.blockType()).isEqualTo(XrReader.DLRR);
        assertThat(xr.dlrrCount()).isZero();
        assertThat(xr.next()).isFalse();
        assertThat(xr.malformed()).isEqualTo(2);
    }

    @Test
    void walksACompound() {
        MemorySegment packet = Octets.of(SENDER_REPORT + DESCRIPTION + VOIP_METRICS + GOODBYE);
        assertThat(RtcpReader.isPlausible(packet, 0, Octets.length(packet))).isTrue();
        assertThat(reader.wrap(packet, 0, Octets.length(packet))).isEqualTo(WrapStatus.OK);
        assertThat(reader.packets()).isEqualTo(4);
        List<String> types = new ArrayList<>();
        while (reader.next(rtcp) == WrapStatus.OK) {
            types.add(rtcp.packetTypeName());
        }
        assertThat(types).containsExactly("SR", "SDES", "XR", "BYE");
        assertThat(reader.next(rtcp)).isEqualTo(WrapStatus.TRUNCATED);
    }

    @Test
    void takesPaddingOfTheLastPacketOnly() {
        MemorySegment last = Octets.of(RECEIVER_REPORT + "a1 cb 0002 00000011 00000004");
        assertThat(reader.wrap(last, 0, Octets.length(last))).isEqualTo(WrapStatus.OK);
        assertThat(reader.next(rtcp)).isEqualTo(WrapStatus.OK);
        assertThat(reader.next(rtcp)).isEqualTo(WrapStatus.OK);
        assertThat(rtcp.byeReason()).isEmpty();
        MemorySegment first = Octets.of("a1 cb 0002 00000011 00000004" + RECEIVER_REPORT);
        assertThat(reader.wrap(first, 0, Octets.length(first))).isEqualTo(WrapStatus.MALFORMED);
    }

    @Test
    void readsWhatIsLeftOfACutCompound() {
        MemorySegment whole = Octets.of(RECEIVER_REPORT + DESCRIPTION);
        int length = Octets.length(whole);
        for (int cut = 0; cut < length; cut++) {
            MemorySegment here = whole.asSlice(0, cut);
            assertThat(reader.wrap(here, 0, cut, length)).isEqualTo(WrapStatus.TRUNCATED);
            int packets = 0;
            while (reader.next(rtcp) == WrapStatus.OK) {
                packets++;
            }
            assertThat(packets).isEqualTo(cut >= 32 ? 1 : 0);
            if (cut != 32) {
                assertThat(reader.wrap(here, 0, cut)).isNotEqualTo(WrapStatus.OK);
            }
        }
    }

    @Test
    void knowsEncryptedRtcpAndTakesNothingFromIt() {
        // SRTCP: the first header in clear, the rest and a trailer of index and tag is noise
        MemorySegment srtcp = Octets.of(RECEIVER_REPORT + "d2971c33a93f5f0e80000001 a1b2c3d4e5f60718293a");
        assertThat(RtcpReader.isPlausible(srtcp, 0, Octets.length(srtcp))).isTrue();
        assertThat(reader.wrap(srtcp, 0, Octets.length(srtcp))).isEqualTo(WrapStatus.MALFORMED);
        assertThat(reader.next(rtcp)).isNotEqualTo(WrapStatus.OK);
    }

    @Test
    void takesReducedSizeRtcp() {
        MemorySegment feedback = Octets.of("81 ce 0002 00000011 00000022");
        assertThat(RtcpReader.isPlausible(feedback, 0, 12)).isTrue();
        assertThat(reader.wrap(feedback, 0, 12)).isEqualTo(WrapStatus.OK);
        MemorySegment trailing = Octets.of("81 ce 0002 00000011 00000022 00");
        assertThat(RtcpReader.isPlausible(trailing, 0, 13)).isFalse();
    }

    @Test
    void refusesCountsThatDoNotFit() {
        MemorySegment packet = Octets.of("82 c9 0007 00000022 00000011 08 000005 00010010 000000a0 e3e48000 00008000");
        assertThat(RtcpReader.isPlausible(packet, 0, 32)).isFalse();
        assertThat(rtcp.wrap(packet, 0, 32)).isEqualTo(WrapStatus.MALFORMED);
        assertThat(rtcp.wrap(Octets.of("9f cb 0001 00000011"), 0, 8)).isEqualTo(WrapStatus.MALFORMED);
        assertThat(rtcp.wrap(Octets.of("a0 c9 0001 00000011"), 0, 8)).isEqualTo(WrapStatus.MALFORMED);
        assertThat(rtcp.wrap(Octets.of("40 c9 0001 00000011"), 0, 8)).isEqualTo(WrapStatus.UNSUPPORTED);
        assertThat(rtcp.wrap(Octets.of("80 00 0001 00000011"), 0, 8)).isEqualTo(WrapStatus.UNSUPPORTED);
    }

    @Test
    void isNeverPlausibleAsRtpToo() {
        Random random = new Random(12);
        for (int i = 0; i < 20_000; i++) {
            byte[] octets = new byte[12 + random.nextInt(60)];
            random.nextBytes(octets);
            octets[0] = (byte) (0x80 | octets[0] & 0x1f);
            octets[2] = 0;
            octets[3] = (byte) random.nextInt(octets.length / 4);
            MemorySegment packet = Octets.of(octets);
            assertThat(RtcpReader.isPlausible(packet, 0, octets.length)
                            && RtpView.isPlausible(packet, 0, octets.length))
                    .isFalse();
        }
    }
}
