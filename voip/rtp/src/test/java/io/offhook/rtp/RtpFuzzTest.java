package io.offhook.rtp;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Any octets at all: nothing may throw, and nothing may be read beyond them. */
class RtpFuzzTest {
    private static final OneRow ROW = new OneRow();

    private final RtpView rtp = new RtpView();
    private final RtpExtensionReader extensions = new RtpExtensionReader();
    private final RtcpReader reader = new RtcpReader();
    private final RtcpView rtcp = new RtcpView();
    private final SdesReader sdes = new SdesReader();
    private final XrReader xr = new XrReader();
    private final RtcpReports reports = new RtcpReports();
    private final RtpStream stream = new RtpStream();
    private long sink;

    @FuzzTest
    void readsAnyRtp(byte[] octets) {
        MemorySegment packet = Octets.of(octets);
        sink += RtpView.isPlausible(packet, 0, octets.length) ? 1 : 0;
        for (int extra = 0; extra < 2; extra++) {
            if (rtp.wrap(packet, 0, octets.length, octets.length + 100 * extra) != WrapStatus.OK) {
                continue;
            }
            sink += rtp.ssrc() + rtp.timestamp() + rtp.sequenceNumber() + rtp.payloadHead() + rtp.payloadLength();
            sink += rtp.extensionProfile() + rtp.toString().length();
            for (int i = 0; i < rtp.csrcCount(); i++) {
                sink += rtp.csrc(i);
            }
            extensions.wrap(rtp);
            while (extensions.next()) {
                if (extensions.dataOffset() + extensions.dataLength() > rtp.payloadOffset()) {
                    throw new AssertionError("element past the extension");
                }
            }
            ROW.packet(stream, sink & 0xffff_ffffL, rtp, -1);
            if (stream.lost() < 0 || stream.lost() > stream.expected()) {
                throw new AssertionError(stream.lost() + " lost of " + stream.expected());
            }
        }
    }

    @FuzzTest
    void readsAnyRtcp(byte[] octets) {
        MemorySegment packet = Octets.of(octets);
        sink += RtcpReader.isPlausible(packet, 0, octets.length) ? 1 : 0;
        for (int extra = 0; extra < 2; extra++) {
            reader.wrap(packet, 0, octets.length, octets.length + extra);
            WrapStatus status;
            do {
                status = reader.next(rtcp);
                if (status == WrapStatus.OK) {
                    readAll();
                }
            } while (status == WrapStatus.OK || status == WrapStatus.MALFORMED);
            reports.read(packet, 0, octets.length, octets.length + extra, sink);
        }
    }

    private void readAll() {
        sink += rtcp.toString().length();
        for (int i = 0; i < rtcp.reportCount(); i++) {
            sink += rtcp.reportSsrc(i) + rtcp.cumulativeLost(i) + rtcp.delaySinceLastSenderReport(i);
        }
        sink += switch (rtcp.packetType()) {
            case RtcpView.SENDER_REPORT -> rtcp.ntpMiddle() + rtcp.octetCount();
            case RtcpView.BYE -> rtcp.byeReason().length();
            case RtcpView.APPLICATION -> rtcp.applicationName().length();
            case RtcpView.TRANSPORT_FEEDBACK, RtcpView.PAYLOAD_FEEDBACK ->
                rtcp.mediaSsrc() + rtcp.feedbackName().length();
            default -> 1;
        };
        sdes.wrap(rtcp);
        while (sdes.next()) {
            sink += sdes.text().length();
        }
        xr.wrap(rtcp);
        while (xr.next()) {
            sink += switch (xr.blockType()) {
                case XrReader.RECEIVER_REFERENCE_TIME -> xr.ntpTimestamp();
                case XrReader.STATISTICS_SUMMARY -> xr.jitterDeviation() + xr.endSequence();
                case XrReader.VOIP_METRICS -> xr.voipMetrics().hashCode();
                default -> xr.dlrrCount() == 0 ? 0 : xr.delaySinceLastReceiverReport(xr.dlrrCount() - 1);
            };
        }
    }

    @Test
    void readsPacketsWithDamagedOctets() {
        Random random = new Random(13);
        byte[][] seeds = {
            hex("b2 88 1234 00000fa0 deadbeef 00000001 fffffffe bede 0002 10 aa 00 22 010203 00 1122334455 000003"),
            hex(RtcpReaderTest.SENDER_REPORT + RtcpReaderTest.DESCRIPTION + RtcpReaderTest.GOODBYE),
            hex(RtcpReaderTest.RECEIVER_REPORT + RtcpReaderTest.VOIP_METRICS + RtcpReaderTest.DESCRIPTION),
            hex("80 cf 0013 00000022 04 00 0002 e1e2e3e4 80000000 05 00 0003 00000011 e3e48000 00010000 06 e8 0009"
                    + " 00000011 000a 0014 00000003 00000001 00000005 00000032 0000000f 00000007 40404040 ff 00 0000")
        };
        for (int i = 0; i < 20_000; i++) {
            byte[] seed = seeds[random.nextInt(seeds.length)];
            byte[] octets = Arrays.copyOf(seed, 1 + random.nextInt(seed.length));
            for (int change = random.nextInt(4); change >= 0; change--) {
                octets[random.nextInt(octets.length)] = (byte) random.nextInt(256);
            }
            readsAnyRtp(octets);
            readsAnyRtcp(octets);
        }
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }
}
