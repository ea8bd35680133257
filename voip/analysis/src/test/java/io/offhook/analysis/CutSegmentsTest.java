package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Ip;
import io.offhook.testkit.traffic.Link;
import io.offhook.testkit.traffic.Octets;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A SIP message over TCP is found wherever segments cut it, in its start line above all. */
class CutSegmentsTest {
    private static final Endpoint CLIENT = Endpoint.ofIpv4(0x0a00000a, 40_000);
    private static final Endpoint SERVER = Endpoint.ofIpv4(0x0a000001, 5060);
    private static final int SYN = 2;
    private static final int ACK = 16;
    private static final String MESSAGES = """
            INVITE sip:a.rather.long.user.name@a-rather-long-host.example.com SIP/2.0
            Via: SIP/2.0/TCP 10.0.0.10:40000;branch=z9hG4bK1
            From: <sip:a@b>;tag=1
            To: <sip:b@b>
            Call-ID: first
            CSeq: 1 INVITE
            Content-Length: 0

            OPTIONS sip:another.long.user.name@a-rather-long-host.example.com SIP/2.0
            Via: SIP/2.0/TCP 10.0.0.10:40000;branch=z9hG4bK2
            From: <sip:a@b>;tag=2
            To: <sip:b@b>
            Call-ID: second
            CSeq: 1 OPTIONS
            Content-Length: 0

            """.replace("\n", "\r\n");

    private final List<Frame> frames = new ArrayList<>();

    private void segment(int sequence, int flags, String payload) {
        byte[] tcp = new Octets()
                .u16(CLIENT.port())
                .u16(SERVER.port())
                .u32(sequence)
                .u32(1)
                .u8(5 << 4)
                .u8(flags)
                .u16(8192)
                .u32(0)
                .bytes(payload.getBytes(StandardCharsets.ISO_8859_1))
                .toArray();
        byte[] frame = Link.ethernet().frame(Ip.between(CLIENT, SERVER).packet(Ip.TCP, tcp), true);
        frames.add(new Frame(Frames.timeNs(frames.size()), Link.ethernet().linkType(), frame, frame.length));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void loseNoMessage(boolean isBeginningCaptured) {
        for (int cut = 1; cut < MESSAGES.length(); cut++) {
            frames.clear();
            if (isBeginningCaptured) {
                segment(99, SYN, "");
            }
            segment(100, ACK, MESSAGES.substring(0, cut));
            segment(100 + cut, ACK, MESSAGES.substring(cut));
            AnalysisResult result = Analysis.run(new MemorySource(frames, 1), AnalysisOptions.defaults());
            assertThat(result.capture().sipRequests()).as("cut at %d", cut).isEqualTo(2);
            assertThat(result.capture().counters()).as("cut at %d", cut).isEmpty();
        }
    }
}
