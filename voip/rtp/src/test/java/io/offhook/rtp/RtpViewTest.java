package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RtpViewTest {
    /** Two CSRCs, a one-byte extension of 8 octets, 5 octets of payload, 3 of padding. */
    private static final String FULL =
            "b2 88 1234 00000fa0 deadbeef 00000001 fffffffe" + " bede 0002 10 aa 00 22 010203 00 1122334455 000003";

    private final RtpView rtp = new RtpView();

    @Test
    void readsEveryField() {
        MemorySegment packet = Octets.of(FULL);
        assertThat(rtp.wrap(packet, 0, Octets.length(packet))).isEqualTo(WrapStatus.OK);
        assertThat(rtp.version()).isEqualTo(2);
        assertThat(rtp.padding()).isTrue();
        assertThat(rtp.paddingLength()).isEqualTo(3);
        assertThat(rtp.extension()).isTrue();
        assertThat(rtp.csrcCount()).isEqualTo(2);
        assertThat(rtp.csrc(0)).isEqualTo(1);
        assertThat(rtp.csrc(1)).isEqualTo(0xffff_fffeL);
        assertThatThrownBy(() -> rtp.csrc(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(rtp.marker()).isTrue();
        assertThat(rtp.payloadType()).isEqualTo(8);
        assertThat(rtp.sequenceNumber()).isEqualTo(0x1234);
        assertThat(rtp.timestamp()).isEqualTo(4000);
        assertThat(rtp.ssrc()).isEqualTo(0xdead_beefL);
        assertThat(rtp.extensionProfile()).isEqualTo(0xbede);
        assertThat(rtp.extensionLength()).isEqualTo(8);
        assertThat(rtp.headerLength()).isEqualTo(32);
        assertThat(rtp.payloadOffset()).isEqualTo(32);
        assertThat(rtp.payloadLength()).isEqualTo(5);
        assertThat(rtp.payloadCapturedLength()).isEqualTo(5);
        assertThat(rtp.payloadHead()).isEqualTo(0x1122_3344_5500_0000L);
        assertThat(RtpView.isPlausible(packet, 0, Octets.length(packet))).isTrue();
        assertThat(rtp).hasToString("RTP PT=8 SSRC=0xDEADBEEF seq=4660 time=4000 mark");
    }

    @Test
    void readsAtAnOffset() {
        MemorySegment packet = Octets.of("ffffff 80 00 0001 000000a0 00000007 d5d5d5d5d5d5d5d5d5");
        assertThat(rtp.wrap(packet, 3, Octets.length(packet) - 3)).isEqualTo(WrapStatus.OK);
        assertThat(rtp.payloadOffset()).isEqualTo(15);
        assertThat(rtp.payloadLength()).isEqualTo(9);
        assertThat(rtp.payloadHead()).isEqualTo(0xd5d5_d5d5_d5d5_d5d5L);
        assertThat(rtp.extension()).isFalse();
        assertThat(rtp.extensionProfile()).isEqualTo(-1);
        assertThat(rtp.extensionLength()).isZero();
        assertThat(rtp.marker()).isFalse();
    }

    @Test
    void saysWhereAPacketEndsTooEarly() {
        MemorySegment packet = Octets.of(FULL);
        int whole = Octets.length(packet);
        for (int length = 0; length < whole; length++) {
            MemorySegment cut = packet.asSlice(0, length);
            WrapStatus ofCapture = rtp.wrap(cut, 0, length, whole);
            assertThat(ofCapture).as("cut at %d", length).isEqualTo(length < 32 ? WrapStatus.TRUNCATED : WrapStatus.OK);
            // if that were the whole packet, the extension would not fit, or the last octet be no padding count that
            // does
            assertThat(rtp.wrap(cut, 0, length)).as("ends at %d", length).isNotEqualTo(WrapStatus.OK);
        }
    }

    @Test
    void keepsBothLengthsOfACutPayload() {
        MemorySegment packet = Octets.of("a0 00 0001 000000a0 00000007 11 22 33");
        assertThat(rtp.wrap(packet, 0, 15, 172)).isEqualTo(WrapStatus.OK);
        assertThat(rtp.payloadLength()).isEqualTo(160);
        assertThat(rtp.payloadCapturedLength()).isEqualTo(3);
        assertThat(rtp.payloadHead()).isEqualTo(0x1122_3300_0000_0000L);
        assertThat(rtp.paddingLength()).isZero();
        assertThat(RtpView.isPlausible(packet, 0, 15, 172)).isTrue();
    }

    @Test
    void takesAPayloadOfNothing() {
        assertThat(rtp.wrap(Octets.of("80 0d 0001 000000a0 00000007"), 0, 12)).isEqualTo(WrapStatus.OK);
        assertThat(rtp.payloadLength()).isZero();
        assertThat(rtp.payloadHead()).isZero();
    }

    @Test
    void takesAPayloadThatIsAllPadding() {
        assertThat(rtp.wrap(Octets.of("a0 60 0001 000000a0 00000007 00 00 03"), 0, 15))
                .isEqualTo(WrapStatus.OK);
        assertThat(rtp.payloadLength()).isZero();
    }

    @Test
    void refusesPaddingThatDoesNotFit() {
        assertThat(rtp.wrap(Octets.of("a0 00 0001 000000a0 00000007 11 22 04"), 0, 15))
                .isEqualTo(WrapStatus.MALFORMED);
        assertThat(rtp.wrap(Octets.of("a0 00 0001 000000a0 00000007 11 22 00"), 0, 15))
                .isEqualTo(WrapStatus.MALFORMED);
        assertThat(rtp.wrap(Octets.of("a0 00 0001 000000a0 00000001"), 0, 12)).isEqualTo(WrapStatus.MALFORMED);
        assertThat(RtpView.isPlausible(Octets.of("a0 00 0001 000000a0 00000007 11 22 04"), 0, 15))
                .isFalse();
        assertThat(RtpView.isPlausible(Octets.of("a0 00 0001 000000a0 00000001"), 0, 12))
                .isFalse();
    }

    @Test
    void refusesAnImpossibleExtensionLength() {
        MemorySegment packet = Octets.of("90 00 0001 000000a0 00000007 bede ffff 00000000");
        assertThat(rtp.wrap(packet, 0, 20)).isEqualTo(WrapStatus.MALFORMED);
        assertThat(RtpView.isPlausible(packet, 0, 20)).isFalse();
    }

    @Test
    void knowsOtherVersionsAndRtcpFromRtp() {
        assertThat(rtp.wrap(Octets.of("40 00 0001 000000a0 00000007"), 0, 12)).isEqualTo(WrapStatus.UNSUPPORTED);
        assertThat(RtpView.isPlausible(Octets.of("40 00 0001 000000a0 00000007"), 0, 12))
                .isFalse();
        for (int type = 0; type < 256; type++) {
            byte[] packet = new byte[12];
            packet[0] = (byte) 0x80;
            packet[1] = (byte) type;
            boolean rtcp = (type & 0x7f) >= 64 && (type & 0x7f) <= 95;
            assertThat(RtpView.isPlausible(Octets.of(packet), 0, 12))
                    .as("type %d", type)
                    .isEqualTo(!rtcp);
        }
    }

    @Test
    void isPlausibleExactlyWhereItWraps() {
        Random random = new Random(11);
        for (int i = 0; i < 50_000; i++) {
            byte[] octets = new byte[random.nextInt(60)];
            random.nextBytes(octets);
            if (octets.length > 0 && random.nextBoolean()) {
                octets[0] = (byte) (0x80 | octets[0] & 0x3f);
            }
            if (octets.length > 15 && random.nextBoolean()) {
                octets[14] = 0;
                octets[15] = (byte) random.nextInt(6);
            }
            MemorySegment packet = Octets.of(octets);
            int wire = octets.length + (random.nextBoolean() ? 0 : random.nextInt(40));
            boolean wraps = rtp.wrap(packet, 0, octets.length, wire) == WrapStatus.OK;
            boolean plausible = RtpView.isPlausible(packet, 0, octets.length, wire);
            if (wraps) {
                assertThat(plausible).isEqualTo(!PayloadType.isReservedForRtcp(rtp.payloadType()));
                assertThat(rtp.payloadLength()).isNotNegative();
                assertThat(rtp.payloadOffset() + rtp.payloadCapturedLength()).isLessThanOrEqualTo(octets.length);
            } else if (octets.length == wire) {
                assertThat(plausible).isFalse();
            }
        }
    }

    @Test
    void iteratesOneByteExtensions() {
        MemorySegment packet = Octets.of(FULL);
        rtp.wrap(packet, 0, Octets.length(packet));
        RtpExtensionReader reader = new RtpExtensionReader();
        reader.wrap(rtp);
        assertThat(reader.next()).isTrue();
        assertThat(reader.id()).isEqualTo(1);
        assertThat(reader.dataLength()).isEqualTo(1);
        assertThat(reader.dataOffset()).isEqualTo(25);
        assertThat(reader.next()).isTrue();
        assertThat(reader.id()).isEqualTo(2);
        assertThat(reader.dataLength()).isEqualTo(3);
        assertThat(reader.dataOffset()).isEqualTo(28);
        assertThat(reader.next()).isFalse();
        assertThat(reader.malformed()).isFalse();
    }

    @Test
    void iteratesTwoByteExtensions() {
        rtp.wrap(Octets.of("90 00 0001 000000a0 00000007 1000 0002 05 00 00 ff 02 aa bb 00"), 0, 24);
        RtpExtensionReader reader = new RtpExtensionReader();
        reader.wrap(rtp);
        assertThat(reader.next()).isTrue();
        assertThat(reader.id()).isEqualTo(5);
        assertThat(reader.dataLength()).isZero();
        assertThat(reader.next()).isTrue();
        assertThat(reader.id()).isEqualTo(255);
        assertThat(reader.dataLength()).isEqualTo(2);
        assertThat(reader.next()).isFalse();
        assertThat(reader.malformed()).isFalse();
    }

    @Test
    void stopsAtAnExtensionElementThatDoesNotFit() {
        rtp.wrap(Octets.of("90 00 0001 000000a0 00000007 bede 0001 1f 00 00 00"), 0, 20);
        RtpExtensionReader reader = new RtpExtensionReader();
        reader.wrap(rtp);
        assertThat(reader.next()).isFalse();
        assertThat(reader.malformed()).isTrue();
        assertThat(reader.next()).isFalse();
    }

    @Test
    void stopsAtTheReservedIdentifierAndLeavesOtherProfilesAlone() {
        RtpExtensionReader reader = new RtpExtensionReader();
        rtp.wrap(Octets.of("90 00 0001 000000a0 00000007 bede 0001 f0 10 10 10"), 0, 20);
        reader.wrap(rtp);
        assertThat(reader.next()).isFalse();
        rtp.wrap(Octets.of("90 00 0001 000000a0 00000007 abac 0001 10 10 10 10"), 0, 20);
        reader.wrap(rtp);
        assertThat(reader.next()).isFalse();
        assertThat(reader.malformed()).isFalse();
    }

    @Test
    void packetsOfAViewCountAsThoseOfRows() {
        RtpStream byView = new RtpStream();
        RtpStream byRow = new RtpStream();
        OneRow row = new OneRow();
        for (int i = 0; i < 300; i++) {
            if (i % 40 == 7) {
                continue; // lost
            }
            String head = String.format("80 %02x %04x %08x 00000007", i == 0 ? 0x88 : 8, i, 160 * i);
            MemorySegment packet = Octets.of(head + " d5".repeat(160));
            assertThat(rtp.wrap(packet, 0, Octets.length(packet))).isEqualTo(WrapStatus.OK);
            long arrivalNs = 20_000_000L * i + i * 7919L % 1_000_000;
            byView.packet(rtp, arrivalNs);
            row.packet(byRow, arrivalNs, rtp, -1);
        }
        assertThat(byView.lost()).isEqualTo(8).isEqualTo(byRow.lost());
        assertThat(byView.jitterMs()).isPositive().isEqualTo(byRow.jitterMs());
        assertThat(byView.payloadOctets()).isEqualTo(byRow.payloadOctets());
    }
}
