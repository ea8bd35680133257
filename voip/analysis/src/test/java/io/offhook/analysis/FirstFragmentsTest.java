package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.CallPlan;
import io.offhook.testkit.traffic.Capture;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.IpFragments;
import io.offhook.testkit.traffic.Link;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SIP of which only first fragments were captured, as by {@code tcpdump port 5060}. */
class FirstFragmentsTest {
    private static final Endpoint CALLER = Endpoint.ofIpv4(0x0a01_0001, 5060);
    private static final Endpoint CALLEE = Endpoint.ofIpv4(0x0a01_0002, 5060);
    private static final int ETHERNET = 14;
    private static final int FRAMES_PER_ROUND = 16;

    static Stream<String> scripts() {
        return scriptsByName().keySet().stream();
    }

    private static Map<String, Consumer<CallPlan>> scriptsByName() {
        Map<String, Consumer<CallPlan>> scripts = new LinkedHashMap<>();
        scripts.put("answered", call -> call.completed(Party.CALLEE, 2000));
        scripts.put("busy", call -> call.alerted().rejected(486, "Busy Here"));
        scripts.put(
                "challenged and busy",
                call -> call.invite().challenged(407).trying().ringing().rejected(486, "Busy Here"));
        scripts.put("cancelled", call -> call.alerted().cancelled());
        scripts.put("over IPv6", call -> call.ipv6().completed(Party.CALLER, 500));
        scripts.put("without an answer", call -> call.alerted());
        return scripts;
    }

    /** What a filter on ports lets pass: no fragment but the first of a packet, for the others have no port. */
    private static List<Frame> firstFragments(List<Frame> frames) {
        List<Frame> first =
                frames.stream().filter(frame -> fragmentOffset(frame) == 0).toList();
        assertThat(first.size()).isLessThan(frames.size());
        return first;
    }

    private static int fragmentOffset(Frame frame) {
        byte[] bytes = frame.bytes();
        if (bytes[ETHERNET] >>> 4 == 4) {
            return u16(bytes, ETHERNET + 6) & 0x1fff;
        }
        boolean isFragment = bytes[ETHERNET + 6] == 44;
        return isFragment ? u16(bytes, ETHERNET + 40 + 2) & 0xfff8 : 0;
    }

    private static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    private static AnalysisResult analyse(List<Frame> frames, int perBatch, int lanes) {
        return Analysis.run(
                new MemorySource(frames, perBatch), AnalysisOptions.defaults().withLanes(lanes));
    }

    private static long counter(AnalysisResult result, String name) {
        return result.capture().counters().stream()
                .filter(counter -> counter.name().equals(name))
                .mapToLong(CaptureReport.Counter::count)
                .sum();
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void tellTheCallAsWholeMessagesDo(String name) {
        Traffic traffic = new Traffic(3);
        traffic.call(call -> {
            call.bulky(2500).fragmented(1400, IpFragments.Style.IN_ORDER);
            scriptsByName().getOrDefault(name, plan -> {}).accept(call);
        });
        Capture capture = traffic.capture();
        CallReport whole = analyse(capture.frames(), 100, 1).calls().getFirst();
        List<Frame> frames = firstFragments(capture.frames());
        for (int perBatch : new int[] {2, 5, 4000}) {
            for (int lanes : new int[] {1, 3}) {
                AnalysisResult result = analyse(frames, perBatch, lanes);
                assertThat(result.calls()).hasSize(1);
                CallReport call = result.calls().getFirst();
                assertThat(call.outcome()).isEqualTo(whole.outcome());
                assertThat(call.finalStatus()).isEqualTo(whole.finalStatus());
                assertThat(call.counts().messages()).isEqualTo(whole.counts().messages());
                assertThat(call.counts().retransmissions())
                        .isEqualTo(whole.counts().retransmissions());
                assertThat(call.parties().from()).isEqualTo(whole.parties().from());
                assertThat(call.parties().to()).isEqualTo(whole.parties().to());
                assertThat(call.legs()).isEqualTo(whole.legs());
                assertThat(call.times().ringingNs()).isEqualTo(whole.times().ringingNs());
                assertThat(call.times().endedNs()).isEqualTo(whole.times().endedNs());
                assertThat(call.firstFrame()).isEqualTo(1);
                // the first fragment is a little earlier than the last
                assertThat(call.times().invitedNs())
                        .isBetween(
                                whole.times().invitedNs() - 1_000_000,
                                whole.times().invitedNs());
                assertThat(result.capture().callIds()).isEqualTo(1);
                assertThat(counter(result, "sipMessagesInFragments")).isPositive();
                assertThat(counter(result, "fragmentDatagramsUnfinished")).isPositive();
            }
        }
    }

    private static String invite(int headerBytes) {
        return "INVITE sip:bob@b.test SIP/2.0\r\n"
                + "Via: SIP/2.0/UDP 10.1.0.1;branch=z9hG4bK1\r\n"
                + "From: <sip:alice@a.test>;tag=f\r\n"
                + "To: <sip:bob@b.test>\r\n"
                + "Call-ID: a-rather-long-call-id@10.1.0.1\r\n"
                + "CSeq: 1 INVITE\r\n"
                + "X-Padding: " + "x".repeat(headerBytes) + "\r\n"
                + "Content-Length: 0\r\n\r\n";
    }

    private static List<Frame> fragments(String message, int fragmentBytes, long... timesNs) {
        byte[] packet = Frames.udp(CALLER, CALLEE, 7, message.getBytes(StandardCharsets.US_ASCII));
        List<Frame> frames = new ArrayList<>();
        int i = 0;
        for (byte[] piece : IpFragments.split(packet, fragmentBytes, 77)) {
            byte[] frame = Link.ethernet().frame(piece, true);
            frames.add(new Frame(timesNs[i++], Link.ethernet().linkType(), frame, frame.length));
        }
        return frames;
    }

    private static List<Frame> filler(int from, int to) {
        List<Frame> frames = new ArrayList<>();
        for (int i = from; i < to; i++) {
            frames.addAll(Frames.rtp(i, 160, false, tap -> {}));
        }
        return frames;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void areNotToldWhereTheRestComesJustAfterTheRound(int lanes) {
        long last = Frames.timeNs(FRAMES_PER_ROUND - 1);
        List<Frame> invite = fragments(invite(900), 800, last, last + 1_000_000);
        List<Frame> frames = new ArrayList<>(filler(0, FRAMES_PER_ROUND - 1));
        frames.addAll(invite);
        frames.addAll(filler(FRAMES_PER_ROUND, 60));
        AnalysisResult result = analyse(frames, 1, lanes);
        assertThat(result.capture().sipRequests()).isEqualTo(1);
        assertThat(counter(result, "sipMessagesInFragments")).isZero();
        assertThat(result.calls().getFirst().firstFrame()).isEqualTo(FRAMES_PER_ROUND + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void areNotToldAgainWhereTheRestComesMuchLater(int lanes) {
        List<Frame> invite = fragments(invite(900), 800, Frames.timeNs(0), Frames.timeNs(30));
        List<Frame> frames = new ArrayList<>(List.of(invite.getFirst()));
        frames.addAll(filler(1, 30));
        frames.add(invite.getLast());
        frames.addAll(filler(31, 60));
        AnalysisResult result = analyse(frames, 1, lanes);
        assertThat(result.capture().sipRequests()).isEqualTo(1);
        assertThat(result.calls()).hasSize(1);
        assertThat(result.calls().getFirst().counts().messages()).isEqualTo(1);
        assertThat(result.calls().getFirst().firstFrame()).isEqualTo(1);
        assertThat(counter(result, "sipMessagesInFragments")).isEqualTo(1);
        assertThat(counter(result, "fragmentDatagramsUnfinished")).isZero();
    }

    @Test
    void areToldOnceWhereTheyTimeOut() {
        List<Frame> frames = new ArrayList<>();
        frames.add(fragments(invite(900), 800, Frames.timeNs(0), 0).getFirst());
        // the same identification again, 40 s later
        frames.add(fragments(invite(901), 800, Frames.timeNs(2000), 0).getFirst());
        AnalysisResult result = analyse(frames, 100, 1);
        assertThat(result.capture().sipRequests()).isEqualTo(2);
        assertThat(result.calls()).hasSize(1);
        assertThat(result.calls().getFirst().times().firstSeenNs()).isEqualTo(Frames.timeNs(0));
        assertThat(counter(result, "fragmentDatagramsTimedOut")).isEqualTo(1);
        assertThat(counter(result, "fragmentDatagramsUnfinished")).isEqualTo(1);
    }

    /** Half a line says something else than the whole one. */
    @Test
    void areReadByWholeLinesWhereverTheyEnd() {
        String message = invite(10);
        int callIdEnd = message.indexOf("\r\n", message.indexOf("Call-ID")) + 1;
        for (int payload = 8; payload < message.length() + 8; payload += 8) {
            List<Frame> frames = fragments(message, 20 + payload, new long[100]);
            AnalysisResult result = analyse(List.of(frames.getFirst()), 1, 1);
            boolean hasCallId = payload - 8 >= callIdEnd;
            assertThat(result.capture().sipRequests()).as("payload %s", payload).isEqualTo(hasCallId ? 1 : 0);
            for (CallReport call : result.calls()) {
                assertThat(call.callId()).isEqualTo("a-rather-long-call-id@10.1.0.1");
            }
        }
    }

    @Test
    void ofOtherThingsAreOnlyCounted() {
        List<Frame> frames = new ArrayList<>(
                Frames.rtp(5, 1600, false, tap -> tap.fragmented(1280, IpFragments.Style.LAST_MISSING)));
        AnalysisResult result = analyse(frames, 1, 1);
        assertThat(result.capture().sipRequests()).isZero();
        assertThat(counter(result, "sipMessagesInFragments")).isZero();
        assertThat(counter(result, "fragmentDatagramsUnfinished")).isEqualTo(1);
    }
}
