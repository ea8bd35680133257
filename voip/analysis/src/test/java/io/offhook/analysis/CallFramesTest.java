package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.pcap.PacketSource;
import io.offhook.testkit.traffic.Addresses;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Recorder;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Segmentation;
import io.offhook.testkit.traffic.SentConnection;
import io.offhook.testkit.traffic.SipMessage;
import io.offhook.testkit.traffic.Tap;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The frames of calls: of a capture that has nothing else, all. */
class CallFramesTest {

    private static List<CallReport> calls(List<Frame> frames) {
        try (PacketSource source = new MemorySource(frames, 4096)) {
            return Analysis.run(source, AnalysisOptions.defaults().withLanes(1)).calls();
        }
    }

    /** An INVITE over TCP, in segments of one byte; the handshake and an acknowledgement are the other packets. */
    private static List<Frame> inviteByteByByte(int length) {
        byte[] invite = SipMessage.request("INVITE", "sip:bob@10.0.0.2")
                .header("Via", "SIP/2.0/TCP 10.0.0.1:40000;branch=z9hG4bK1")
                .header("From", "<sip:alice@10.0.0.1>;tag=a")
                .header("To", "<sip:bob@10.0.0.2>")
                .header("Call-ID", "long@tcp")
                .header("CSeq", "1 INVITE")
                .body("text/plain", "x".repeat(length).getBytes(StandardCharsets.US_ASCII))
                .bytes();
        Recorder recorder = new Recorder(1);
        SentConnection connection = new SentConnection(
                new Tap(recorder, new Random(1)),
                Addresses.endpoint("10.0.0.1", 40_000),
                Addresses.endpoint("10.0.0.2", 5060),
                true);
        long time = connection.open(1_700_000_000_000_000_000L);
        connection.send(time, true, invite, Segmentation.every(1, invite.length));
        return recorder.frames();
    }

    @Test
    void ofALongMessageAreAllButTheConnectionIsCountedAsUntraced() {
        List<Frame> frames = inviteByteByByte(70_000);
        try (PacketSource source = new MemorySource(frames, 4096)) {
            CallFrames found = CallFrames.find(source, calls(frames), false, 1);
            assertThat(found.count()).isEqualTo(frames.size() - 4);
            assertThat(found.untraced()).isEqualTo(frames.size());
        }
    }

    @Test
    void ofAShortConnectionAllAreTraced() {
        List<Frame> frames = inviteByteByByte(100);
        try (PacketSource source = new MemorySource(frames, 4096)) {
            CallFrames found = CallFrames.find(source, calls(frames), false, 1);
            assertThat(found.count()).isEqualTo(frames.size());
            assertThat(found.untraced()).isZero();
        }
    }

    /** A round has 16 batches: those of a frame each end in the middle of datagrams. */
    @ParameterizedTest
    @CsvSource({
        "fragments-in-order, 4096",
        "fragments-shuffled, 1",
        "fragments-duplicated, 4096",
        "fragments-duplicated, 1",
        "fragments-of-everything, 1",
        "fragments-in-a-tunnel, 1",
        "mirrored, 4096",
        "tcp-small-segments, 1"
    })
    void areAllOfACaptureOfOneCall(String scenario, int perBatch) {
        List<Frame> frames = Scenarios.traffic(scenario, 7).capture().frames();
        List<CallReport> calls = calls(frames);
        assertThat(calls).hasSize(1);
        try (PacketSource source = new MemorySource(frames, perBatch)) {
            CallFrames found = CallFrames.find(source, calls, true, 2);
            assertThat(found.count()).isEqualTo(frames.size());
            for (int number = 1; number <= frames.size(); number++) {
                assertThat(found.callsOf(number)).as("frame %d", number).containsExactly(0);
            }
        }
    }
}
