package io.offhook.decrypt;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.FarEnd;
import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SRTCP that libsrtp protected (libsrtp.txt), between endpoints that an SDP names. */
class RtcpKeysTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final Endpoint A = endpoint("192.0.2.1", 4001);
    private static final Endpoint B = endpoint("192.0.2.2", 5001);

    private final Arena arena = Arena.ofConfined();
    private final RtcpKeys keys = new RtcpKeys(null);

    @AfterEach
    void close() {
        keys.close();
        arena.close();
    }

    private static Endpoint endpoint(String address, int port) {
        return Endpoint.of(Objects.requireNonNull(IpAddress.parse(address)), port);
    }

    /** The lines of SRTCP, each in words: kind, suite, counter, bytes of MKI, key, packet, protected packet. */
    private static List<String[]> lines() {
        return new String(PcapBytes.resource("libsrtp.txt"), StandardCharsets.US_ASCII)
                .lines()
                .map(line -> line.split(" ", -1))
                .filter(words -> words[0].equals("rtcp"))
                .toList();
    }

    private static String crypto(String... words) {
        return words[1] + " inline:" + Base64.getEncoder().encodeToString(HEX.parseHex(words[4]))
                + (words[3].equals("0") ? "" : "|2^20|9:" + words[3]);
    }

    private static String invite(String callId, String media) {
        String sdp = "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\n" + media;
        return "INVITE sip:bob@192.0.2.2 SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1\r\nFrom: <sip:a@x>;tag=1\r\n"
                + "To: <sip:b@x>\r\nCall-ID: " + callId + "\r\nCSeq: 1 INVITE\r\nContent-Type: application/sdp\r\n"
                + "Content-Length: " + sdp.length() + "\r\n\r\n" + sdp;
    }

    private void message(String text) {
        MemorySegment segment = arena.allocateFrom(text, StandardCharsets.US_ASCII);
        SipMessageView view = new SipMessageView();
        view.wrap(segment, 0, text.length());
        keys.message(
                view, new SipPacket(0, new PacketContext(1, 1, A, B), SipTransport.UDP, 0, segment, 0, text.length()));
    }

    private RtcpPacket packet(byte[] bytes, Endpoint source, Endpoint destination) {
        MemorySegment segment = arena.allocate(bytes.length);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return new RtcpPacket(new PacketContext(2, 2, source, destination), segment, 0, bytes.length, bytes.length);
    }

    private static @Nullable String hex(@Nullable RtcpPacket packet) {
        return packet == null
                ? null
                : HEX.formatHex(packet.segment()
                        .asSlice(packet.offset(), packet.length())
                        .toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void opensWhatPassesBetweenTheEndpointsOfAnSdpWithItsKeys() {
        int opened = 0;
        for (String[] line : lines()) {
            String[] media = {
                "m=audio 4000 RTP/SAVP 0\r\na=crypto:1 " + crypto(line) + "\r\n",
                "m=audio 4001/2 UDP/TLS/RTP/SAVPF 0\r\na=rtcp-mux\r\na=crypto:1 " + crypto(line) + "\r\n",
                "m=audio 9000 RTP/SAVP 0\r\nc=IN IP4 192.0.2.1/127\r\na=rtcp:4001 IN IP4 192.0.2.1\r\na=crypto:7 "
                        + crypto(line) + "\r\n"
            };
            message(invite("call-" + opened, media[opened % media.length]));
            byte[] sealed = HEX.parseHex(line[6]);
            assertThat(hex(keys.open(packet(sealed, A, B)))).isEqualTo(line[5]);
            assertThat(hex(keys.open(packet(sealed, B, A)))).isEqualTo(line[5]);
            opened++;
        }
        assertThat(opened).isGreaterThan(20);
        assertThat(keys.opened()).isEqualTo(2L * opened);
        assertThat(keys).hasToString("SRTCP: " + 2 * opened + " packets opened");
    }

    /** A call between two baresip 1.0.0, of which most RTP was left out. */
    @Test
    void showsWhatTheFarEndReportsOfACallWithSdes(@TempDir Path folder) throws IOException {
        Path capture = Files.write(folder.resolve("srtcp.pcap"), PcapBytes.resource("srtcp.pcap"));
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(2);
        AnalysisResult closed = analysed(capture, options);
        assertThat(closed.calls().getFirst().streams().getFirst().farEnd()).isNull();
        AnalysisResult opened = analysed(capture, options.withRtcp(() -> new RtcpKeys(null)));
        assertThat(opened.calls()).singleElement().satisfies(call -> {
            assertThat(call.isEncrypted()).isTrue();
            FarEnd farEnd = Objects.requireNonNull(call.streams().getFirst().farEnd());
            assertThat(farEnd.cumulativeLost()).isZero();
        });
        assertThat(opened.capture().counters())
                .extracting(CaptureReport.Counter::name)
                .doesNotContain("rtcpUndecodable");
        assertThat(closed.capture().counters())
                .filteredOn(counter -> counter.name().equals("rtcpUndecodable"))
                .singleElement()
                .satisfies(counter -> assertThat(counter.count()).isEqualTo(6));
    }

    /** dtls.pcap, of two baresip, with a report of each side that libsrtp protected by the keys of its handshake. */
    @Test
    void showsWhatTheFarEndReportsOfACallWithDtls(@TempDir Path folder) throws IOException {
        Path capture = Files.write(folder.resolve("dtls-rtcp.pcap"), PcapBytes.resource("dtls-rtcp.pcap"));
        Path log = Files.write(folder.resolve("dtls.keys"), PcapBytes.resource("dtls.keys"));
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(2);
        AnalysisResult closed = analysed(capture, options.withRtcp(() -> new RtcpKeys(null)));
        assertThat(closed.calls().getFirst().streams()).hasSize(2).allMatch(stream -> stream.farEnd() == null);
        try (DecryptionKeys given = DecryptionKeys.open(log, null)) {
            AnalysisResult opened = analysed(capture, options.withRtcp(() -> new RtcpKeys(given)));
            assertThat(opened.calls().getFirst().streams())
                    .hasSize(2)
                    .allSatisfy(stream -> assertThat(
                                    Objects.requireNonNull(stream.farEnd()).cumulativeLost())
                            .isEqualTo(5));
            assertThat(opened.capture().counters())
                    .extracting(CaptureReport.Counter::name)
                    .doesNotContain("rtcpUndecodable");
        }
    }

    private static AnalysisResult analysed(Path capture, AnalysisOptions options) {
        try (PacketSource source = CaptureFiles.open(List.of(capture.toString()), InputStream.nullInputStream())) {
            return Analysis.run(source, options);
        }
    }

    @Test
    void triesTheKeyOfANewOffer() {
        List<String[]> lines = lines();
        String[] first = lines.getFirst();
        String[] second = lines.stream()
                .filter(line -> line[1].equals(first[1]) && !line[4].equals(first[4]))
                .findFirst()
                .orElse(lines.getLast());
        byte[] sealed = HEX.parseHex(second[6]);
        message(invite("call", "m=audio 4000 RTP/SAVP 0\r\na=crypto:1 " + crypto(first) + "\r\n"));
        assertThat(keys.open(packet(sealed, A, B))).isNull();
        message(invite("call", "m=audio 4000 RTP/SAVP 0\r\na=crypto:1 " + crypto(second) + "\r\n"));
        assertThat(hex(keys.open(packet(sealed, A, B)))).isEqualTo(second[5]);
    }

    /** RFC 8643: what a key authenticates is encrypted, whatever the profile. */
    @Test
    void opensWhatWasOfferedOpportunistically() {
        String[] line = lines().getFirst();
        message(invite("call", "m=audio 4000 RTP/AVP 0\r\na=crypto:1 " + crypto(line) + "\r\n"));
        assertThat(hex(keys.open(packet(HEX.parseHex(line[6]), A, B)))).isEqualTo(line[5]);
    }

    @Test
    void leavesAloneWhatIsNotEncryptedOrHasNoKey() {
        String[] line = lines().getFirst();
        byte[] sealed = HEX.parseHex(line[6]);
        assertThat(keys.open(packet(sealed, A, B))).isNull();
        message(invite("plain", "m=audio 4000 RTP/AVP 0\r\n"));
        assertThat(keys.open(packet(sealed, A, B))).isNull();
        message(invite("elsewhere", "m=audio 6000 RTP/SAVP 0\r\na=crypto:1 " + crypto(line) + "\r\n"));
        assertThat(keys.open(packet(sealed, A, B))).isNull();
        message(invite("call", "m=audio 4000 RTP/SAVP 0\r\na=crypto:1 " + crypto(line) + "\r\n"));
        assertThat(keys.open(packet(HEX.parseHex(line[5]), A, B))).isNull();
        for (int length = 0; length < sealed.length; length++) {
            assertThat(keys.open(packet(Arrays.copyOf(sealed, length), A, B))).isNull();
        }
        assertThat(hex(keys.open(packet(sealed, A, B)))).isEqualTo(line[5]);
    }

    @Test
    void opensWithGivenKeysWithoutAnySignalling(@TempDir Path folder) throws IOException {
        String[] line = lines().getFirst();
        Path file = Files.writeString(folder.resolve("keys"), "at 192.0.2.2:5001 " + crypto(line) + "\n");
        try (DecryptionKeys given = DecryptionKeys.open(null, file);
                RtcpKeys rtcp = new RtcpKeys(given)) {
            assertThat(hex(rtcp.open(packet(HEX.parseHex(line[6]), A, B)))).isEqualTo(line[5]);
            assertThat(rtcp.open(packet(HEX.parseHex(line[6]), A, endpoint("192.0.2.3", 5001))))
                    .isNull();
        }
    }

    @Test
    void forgetsTheKeysOfTheEldestCalls() {
        String[] line = lines().getFirst();
        byte[] sealed = HEX.parseHex(line[6]);
        String media = "m=audio 4000 RTP/SAVP 0\r\na=crypto:1 " + crypto(line) + "\r\n";
        message(invite("eldest", media));
        for (int i = 0; i < RtcpKeys.MOST_CALLS; i++) {
            message(invite("call-" + i, media.replace("4000", "40000")));
        }
        assertThat(keys.open(packet(sealed, A, B))).isNull();
        message(invite("latest", media));
        assertThat(hex(keys.open(packet(sealed, A, B)))).isEqualTo(line[5]);
    }
}
