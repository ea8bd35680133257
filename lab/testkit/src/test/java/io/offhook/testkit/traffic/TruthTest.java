package io.offhook.testkit.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LinkType;
import io.offhook.testkit.traffic.CapturedPackets.Packet;
import io.offhook.testkit.truth.CallTruth;
import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.PlannedOutcome;
import io.offhook.testkit.truth.Problem;
import io.offhook.testkit.truth.RegistrationTruth;
import io.offhook.testkit.truth.RtcpTruth;
import io.offhook.testkit.truth.StreamTruth;
import io.offhook.testkit.truth.Truth;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the truth against a recount from the bytes that were written. */
class TruthTest {
    private static final Pattern CALL_ID = Pattern.compile("(?im)^(?:call-id[ \t]*|i):[ \t]*(\\S+)");
    private static final Pattern CSEQ = Pattern.compile("(?im)^cseq[ \t]*:\\s*(\\d+)\\s+([A-Z]+)");

    /** A message as the recount sees it. */
    private record Message(String text, long timestampNs) {
        boolean isRequest() {
            return !text.startsWith("SIP/2.0");
        }

        String callId() {
            return find(CALL_ID, 1);
        }

        String method() {
            return find(CSEQ, 2);
        }

        private String find(Pattern pattern, int group) {
            Matcher matcher = pattern.matcher(text);
            assertThat(matcher.find()).as(text).isTrue();
            return matcher.group(group);
        }
    }

    /** Names of the scenarios that the plain reader of this test can read: no tunnels, no fragments, no WebSocket. */
    static Stream<String> plain() {
        return Scenarios.all().keySet().stream()
                .filter(name -> !name.matches("(tunnel|fragments|websocket).*|tcp-hole"))
                .filter(name -> !List.of("link-mpls", "link-pppoe").contains(name))
                .filter(name ->
                        Scenarios.traffic(name, 1).capture().frames().getFirst().linkType() == LinkType.ETHERNET);
    }

    @ParameterizedTest
    @MethodSource("plain")
    void reportsEachStreamWhatARecountFinds(String name) {
        Capture capture = Scenarios.traffic(name, 20).capture();
        Map<String, List<long[]>> arrivals = new LinkedHashMap<>();
        long rtcp = 0;
        for (Packet packet : CapturedPackets.of(capture.frames())) {
            byte[] payload = packet.protocol() == Ip.UDP ? packet.udpPayload() : new byte[0];
            if (payload.length < 12
                    || (payload[0] & 0xc0) != 0x80
                    || packet.destination().port() == 53) {
                continue;
            }
            int type = payload[1] & 0xff;
            if (type >= 200 && type <= 207) {
                rtcp++;
                continue;
            }
            ByteBuffer fields = ByteBuffer.wrap(payload);
            String key = packet.source() + " " + packet.destination() + " " + (fields.getInt(8) & 0xffff_ffffL);
            arrivals.computeIfAbsent(key, k -> new ArrayList<>())
                    .add(new long[] {packet.timestampNs(), fields.getShort(2) & 0xffff});
        }
        Map<String, StreamTruth> truths = new HashMap<>();
        capture.truth().streams().forEach(s -> truths.put(s.source() + " " + s.destination() + " " + s.ssrc(), s));
        assertThat(arrivals.keySet()).isEqualTo(truths.keySet());
        arrivals.forEach((key, packets) -> compare(Objects.requireNonNull(truths.get(key)), packets));
        assertThat(capture.truth().rtcpPackets()).isEqualTo(rtcp);
        assertThat(capture.truth().rtpPackets())
                .isEqualTo(arrivals.values().stream().mapToLong(List::size).sum());
    }

    private static void compare(StreamTruth truth, List<long[]> packets) {
        Set<Long> seen = new HashSet<>();
        long index = packets.getFirst()[1];
        long highest = index;
        long lowest = index;
        long reordered = 0;
        for (long[] packet : packets) {
            index = highest + (short) (packet[1] - highest);
            reordered += seen.add(index) && index < highest ? 1 : 0;
            highest = Math.max(highest, index);
            lowest = Math.min(lowest, index);
        }
        assertThat(truth.captured()).isEqualTo(packets.size());
        assertThat(truth.expected()).isEqualTo(highest - lowest + 1);
        assertThat(truth.lost()).isEqualTo(truth.expected() - seen.size());
        assertThat(truth.duplicates()).isEqualTo(packets.size() - seen.size());
        assertThat(truth.reordered()).isEqualTo(reordered);
        assertThat(truth.firstAtNs()).isEqualTo(packets.getFirst()[0]);
        assertThat(truth.lastAtNs()).isEqualTo(packets.getLast()[0]);
    }

    @ParameterizedTest
    @MethodSource("plain")
    void reportsEachCallWhatARecountFinds(String name) {
        Capture capture = Scenarios.traffic(name, 21).capture();
        Truth truth = capture.truth();
        List<Message> messages = messages(capture);
        assertThat(truth.packets()).isEqualTo(capture.frames().size());
        assertThat(truth.sipRequests())
                .isEqualTo(messages.stream().filter(Message::isRequest).count());
        assertThat(truth.sipResponses())
                .isEqualTo(messages.stream()
                        .filter(message -> !message.isRequest())
                        .count());
        assertThat(truth.callIds()).isEqualTo((int)
                messages.stream().map(Message::callId).distinct().count());
        for (CallTruth call : truth.calls()) {
            List<Message> own = messages.stream()
                    .filter(message -> message.callId().equals(call.callId()))
                    .toList();
            assertThat(call.messages()).isEqualTo(own.size());
            assertThat(call.invitedAtNs()).isEqualTo(first(own, "INVITE .*"));
            assertThat(call.ringingAtNs()).isEqualTo(first(own, "SIP/2.0 18\\d .*"));
            assertThat(call.answeredAtNs())
                    .isEqualTo(first(
                            own.stream()
                                    .filter(m -> m.method().equals("INVITE"))
                                    .toList(),
                            "SIP/2.0 200 .*"));
            Long bye = first(own, "BYE .*");
            Long end = call.finalStatus() == null || call.finalStatus() < 300
                    ? bye
                    : first(own, "SIP/2.0 " + call.finalStatus() + " .*");
            assertThat(call.endedAtNs()).isEqualTo(end);
        }
    }

    private static @Nullable Long first(List<Message> messages, String startLine) {
        Pattern pattern = Pattern.compile(startLine);
        return messages.stream()
                .filter(message -> pattern.matcher(
                                message.text().lines().findFirst().orElse(""))
                        .matches())
                .map(Message::timestampNs)
                .findFirst()
                .orElse(null);
    }

    /** The SIP messages of UDP and, put together, of TCP, by time. */
    private static List<Message> messages(Capture capture) {
        List<Message> messages = new ArrayList<>();
        Map<String, List<Packet>> streams = new LinkedHashMap<>();
        for (Packet packet : CapturedPackets.of(capture.frames())) {
            if (packet.protocol() == Ip.UDP) {
                String text = new String(packet.udpPayload(), StandardCharsets.UTF_8);
                if (Pattern.compile("^(SIP/2.0 \\d|[A-Z]+ \\S+ SIP/2.0\r\n)")
                        .matcher(text)
                        .find()) {
                    messages.add(new Message(text, packet.timestampNs()));
                }
            } else if (packet.protocol() == Ip.TCP) {
                boolean sip =
                        packet.source().port() == 5060 || packet.destination().port() == 5060;
                boolean syn = (packet.message()[13] & 2) != 0;
                int header = (packet.message()[12] >>> 4 & 15) * 4;
                if (sip && !syn && packet.message().length > header) {
                    streams.computeIfAbsent(packet.source() + " " + packet.destination(), k -> new ArrayList<>())
                            .add(packet);
                }
            }
        }
        streams.values().forEach(stream -> cut(stream, messages));
        messages.sort(java.util.Comparator.comparingLong(Message::timestampNs));
        return messages;
    }

    private static void cut(List<Packet> stream, List<Message> messages) {
        long any = sequence(stream.getFirst());
        long base = any
                + stream.stream()
                        .mapToInt(packet -> (int) (sequence(packet) - any))
                        .min()
                        .orElse(0);
        Map<Integer, Long> arrival = new HashMap<>();
        byte[] bytes = new byte[200_000];
        int length = 0;
        for (Packet packet : stream) {
            byte[] segment = packet.message();
            int header = (segment[12] >>> 4 & 15) * 4;
            int at = (int) (sequence(packet) - base);
            for (int i = header; i < segment.length; i++) {
                bytes[at + i - header] = segment[i];
                arrival.merge(at + i - header, packet.timestampNs(), Math::min);
            }
            length = Math.max(length, at + segment.length - header);
        }
        String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        Matcher matcher = Pattern.compile(
                        "(?s)(?:SIP/2.0 \\d|[A-Z]+ \\S+ SIP/2.0\r\n).*?Content-Length: (\\d+)\r\n\r\n")
                .matcher(text);
        long ready = 0;
        while (matcher.find()) {
            int end = matcher.end() + Integer.parseInt(matcher.group(1));
            for (int i = matcher.start(); i < end; i++) {
                ready = Math.max(ready, Objects.requireNonNull(arrival.get(i)));
            }
            messages.add(new Message(text.substring(matcher.start(), end), ready));
        }
    }

    private static long sequence(Packet packet) {
        return ByteBuffer.wrap(packet.message()).getInt(4) & 0xffff_ffffL;
    }

    @Test
    void saysWhatEachScenarioIsMeantToShow() {
        expect("answered", PlannedOutcome.ANSWERED, 200, Party.CALLER);
        expect("hung-up-by-callee", PlannedOutcome.ANSWERED, 200, Party.CALLEE);
        expect("both-hang-up", PlannedOutcome.ANSWERED, 200, Party.CALLEE);
        expect("rejected-486", PlannedOutcome.BUSY, 486, null, Problem.BUSY);
        expect("rejected-600", PlannedOutcome.BUSY, 600, null, Problem.BUSY);
        expect("rejected-603", PlannedOutcome.DECLINED, 603, null, Problem.DECLINED);
        expect("rejected-404", PlannedOutcome.UNAVAILABLE, 404, null, Problem.UNAVAILABLE);
        expect("rejected-302", PlannedOutcome.REDIRECTED, 302, null);
        expect("rejected-503", PlannedOutcome.FAILED, 503, null, Problem.FAILED);
        expect("cancelled", PlannedOutcome.CANCELLED, 487, null, Problem.CANCELLED);
        expect("cancel-crosses-200", PlannedOutcome.ANSWERED, 200, Party.CALLER);
        expect("terminated-without-cancel", PlannedOutcome.FAILED, 487, null, Problem.UNAVAILABLE);
        expect("ringing-at-the-end", PlannedOutcome.RINGING, null, null);
        expect("ongoing-at-the-end", PlannedOutcome.ONGOING, 200, null);
        expect("capture-starts-in-mid-call", PlannedOutcome.ANSWERED, null, Party.CALLER);
        expect("no-response-at-all", PlannedOutcome.UNAVAILABLE, null, null, Problem.NO_ANSWER);
        expect(
                "sip-port-unreachable",
                PlannedOutcome.UNAVAILABLE,
                null,
                null,
                Problem.NO_ANSWER,
                Problem.PORT_UNREACHABLE);
        expect("slow-set-up", PlannedOutcome.ANSWERED, 200, Party.CALLER, Problem.SLOW_SET_UP);
        expect("no-ack", PlannedOutcome.ANSWERED, 200, Party.CALLEE, Problem.NO_ACK, Problem.ONE_WAY_AUDIO);
        expect("one-way-audio", PlannedOutcome.ANSWERED, 200, Party.CALLER, Problem.ONE_WAY_AUDIO);
        expect("no-audio", PlannedOutcome.ANSWERED, 200, Party.CALLER, Problem.NO_AUDIO);
        expect("loss-from-callee", PlannedOutcome.ANSWERED, 200, Party.CALLER, Problem.LOSS_FROM_CALLEE);
        expect("loss-in-bursts-from-caller", PlannedOutcome.ANSWERED, 200, Party.CALLER, Problem.LOSS_FROM_CALLER);
        expect(
                "media-port-unreachable",
                PlannedOutcome.ANSWERED,
                200,
                Party.CALLER,
                Problem.ONE_WAY_AUDIO,
                Problem.PORT_UNREACHABLE);
        expect("announcement", PlannedOutcome.ANSWERED, 200, Party.CALLEE);
        expect("fax", PlannedOutcome.ANSWERED, 200, Party.CALLEE);
        expect("hold-with-zero-address", PlannedOutcome.ANSWERED, 200, Party.CALLEE);
    }

    private static void expect(
            String name,
            PlannedOutcome outcome,
            @Nullable Integer status,
            @Nullable Party hungUpBy,
            Problem... problems) {
        CallTruth call = firstCall(name);
        assertThat(call.outcome()).as(name).isEqualTo(outcome);
        assertThat(call.finalStatus()).as(name).isEqualTo(status);
        assertThat(call.hungUpBy()).as(name).isEqualTo(hungUpBy);
        assertThat(call.problems()).as(name).containsExactlyInAnyOrder(problems);
        assertThat(call.codec() != null).as(name).isEqualTo(call.answeredAtNs() != null);
    }

    @Test
    void reportsWhatIsSpecialInEachFeature() {
        assertThat(firstCall("one-way-audio").silentParty()).isEqualTo(Party.CALLEE);
        assertThat(firstCall("early-media").earlyMedia()).isTrue();
        assertThat(firstCall("answered").earlyMedia()).isFalse();
        assertThat(firstCall("forked").reachedTags()).isEqualTo(2);
        assertThat(firstCall("proxies").hops()).isEqualTo(3);
        assertThat(firstCall("proxies").messages()).isEqualTo(21);
        assertThat(firstCall("invite-retransmitted").retransmissions()).isEqualTo(2);
        assertThat(firstCall("mirrored").mirroredMessages()).isEqualTo(7);
        assertThat(firstCall("mirrored-with-retransmissions").retransmissions()).isEqualTo(1);
        assertThat(firstCall("tcp-mirrored").messages()).isEqualTo(7);
        assertThat(firstCall("tcp-hole").ringingAtNs()).isNull();
        assertThat(firstCall("tcp-hole").messages()).isEqualTo(6);
        assertThat(firstCall("fragments-last-missing").invitedAtNs()).isNotNull();
        assertThat(firstCall("sip-port-unreachable").icmpErrors()).isEqualTo(2);
        CallTruth.Hold hold = firstCall("hold-and-resume").holds().getFirst();
        assertThat(hold.by()).isEqualTo(Party.CALLEE);
        assertThat(Objects.requireNonNull(hold.untilNs()) - hold.fromNs()).isBetween(2_000_000_000L, 2_100_000_000L);
        assertThat(streams("dtmf").getFirst().digits()).isEqualTo("123#");
        assertThat(streams("dtmf-ends-lost").getFirst().digits()).isEqualTo("5508");
        assertThat(streams("ssrc-change")).hasSize(3);
        assertThat(streams("reinvite-moves-media")).hasSize(4);
        assertThat(streams("proxy-with-media-relay")).hasSize(4);
        assertThat(streams("payload-type-change").getFirst().payloadTypes()).containsExactly(8, 0);
        assertThat(streams("loss-from-callee").get(1).lossFraction()).isBetween(0.05, 0.15);
        assertThat(streams("capture-starts-in-mid-call")).allMatch(stream -> stream.callId() == null);
        assertThat(streams("media-without-signalling")).allMatch(stream -> stream.callId() == null);
        assertThat(Scenarios.traffic("registrations", 1).capture().truth().registrations())
                .extracting(RegistrationTruth::finalStatus)
                .containsExactly(200, 403, null);
    }

    private static CallTruth firstCall(String name) {
        return Scenarios.traffic(name, 5).capture().truth().calls().getFirst();
    }

    private static List<StreamTruth> streams(String name) {
        return Scenarios.traffic(name, 5).capture().truth().streams();
    }

    @Test
    void reportsOverRtcpWhatTheTruthSays() {
        Capture capture = Scenarios.traffic("rtcp", 3).capture();
        Map<String, Long> senderReports = new HashMap<>();
        Map<Long, Long> farRoundTrips = new HashMap<>();
        Map<Long, byte[]> lastBlocks = new HashMap<>();
        for (Packet packet : CapturedPackets.of(capture.frames())) {
            byte[] bytes = packet.protocol() == Ip.UDP ? packet.udpPayload() : new byte[0];
            if (bytes.length < 52 || (bytes[1] & 0xff) != 200) {
                continue;
            }
            ByteBuffer fields = ByteBuffer.wrap(bytes);
            long ssrc = fields.getInt(4) & 0xffff_ffffL;
            senderReports.put(ssrc + " " + (fields.getLong(8) >>> 16 & 0xffff_ffffL), packet.timestampNs());
            long subject = fields.getInt(28) & 0xffff_ffffL;
            long lastReport = fields.getInt(44) & 0xffff_ffffL;
            if (lastReport != 0) {
                long heard = Objects.requireNonNull(senderReports.get(subject + " " + lastReport));
                long delayNs = (fields.getInt(48) & 0xffff_ffffL) * 1_000_000_000 / 65_536;
                farRoundTrips.put(ssrc, packet.timestampNs() - heard - delayNs);
            }
            lastBlocks.put(ssrc, Arrays.copyOfRange(bytes, 28, 52));
        }
        assertThat(capture.truth().rtcp()).hasSize(2);
        for (RtcpTruth truth : capture.truth().rtcp()) {
            ByteBuffer block = ByteBuffer.wrap(Objects.requireNonNull(lastBlocks.get(truth.reporterSsrc())));
            assertThat(block.getInt(0) & 0xffff_ffffL).isEqualTo(truth.subjectSsrc());
            assertThat(block.get(4) & 0xff).isEqualTo(truth.fractionLost());
            assertThat(block.getInt(4) & 0xffffff).isEqualTo(truth.cumulativeLost());
            assertThat(block.getInt(12) & 0xffff_ffffL).isEqualTo(truth.jitter());
            assertThat(Objects.requireNonNull(farRoundTrips.get(truth.reporterSsrc())))
                    .isBetween(truth.reporterRoundTripNs() - 1000, truth.reporterRoundTripNs() + 20_000);
        }
    }

    @Test
    void isAFunctionOfTheSeed() {
        assertThat(Traffic.random(9, 40).capture().bytes())
                .isEqualTo(Traffic.random(9, 40).capture().bytes());
        assertThat(Traffic.random(9, 40).capture().truth())
                .isEqualTo(Traffic.random(9, 40).capture().truth());
        assertThat(Traffic.random(9, 40).capture().bytes())
                .isNotEqualTo(Traffic.random(10, 40).capture().bytes());
        for (String name : Scenarios.all().keySet()) {
            assertThat(Scenarios.traffic(name, 4).capture().bytes())
                    .as(name)
                    .isEqualTo(Scenarios.traffic(name, 4).capture().bytes());
        }
    }

    @Test
    void mixesEverythingWithoutOneStreamInTwoCalls() {
        Truth truth = Traffic.random(77, 400).capture().truth();
        assertThat(truth.calls()).hasSize(400);
        assertThat(truth.calls().stream().map(CallTruth::callId).distinct()).hasSize(400);
        assertThat(truth.streams().stream()
                        .map(s -> s.source() + " " + s.destination() + s.ssrc())
                        .distinct())
                .hasSize(truth.streams().size());
        assertThat(truth.calls().stream().map(CallTruth::outcome).distinct()).hasSizeGreaterThan(6);
    }
}
