package io.offhook.cli.extract;

import static io.offhook.testkit.truth.Party.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.CallFrames;
import io.offhook.calls.CallReport;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Terminal;
import io.offhook.packet.Endpoint;
import io.offhook.report.CallFields;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.TimeForm;
import io.offhook.testkit.traffic.Addresses;
import io.offhook.testkit.traffic.Capture;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Encapsulation;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.IpFragments;
import io.offhook.testkit.traffic.Link;
import io.offhook.testkit.traffic.Recorder;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Segmentation;
import io.offhook.testkit.traffic.SentConnection;
import io.offhook.testkit.traffic.SipMessage;
import io.offhook.testkit.traffic.Tap;
import io.offhook.testkit.traffic.Traffic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packets of a call, in a file of their own, are the same call. */
class CallExtractTest {
    private static final long START_NS = 1_700_000_000_000_000_000L;

    @TempDir
    Path folder;

    private final Terminal terminal = new Offhook().terminal(new ByteArrayOutputStream(), new ByteArrayOutputStream());

    private List<CallReport> calls(Path file) {
        try (OpenCapture input = OpenCapture.open(List.of(file.toString()), terminal)) {
            List<CallReport> calls =
                    input.analyse(AnalysisOptions.defaults().withLanes(1)).calls();
            assertThat(input.faults()).isEmpty();
            return calls;
        }
    }

    /**
     * All that is reported of a call, but for the numbers of frames, which are others in a file of its own, and whether a
     * stream is trusted: the packets of others tell that.
     */
    private static String report(CallReport call) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonFields json = new JsonFields(out, TimeForm.EPOCH)) {
            json.object();
            CallFields.writeJson(json, call);
            json.end();
        }
        return out.toString(StandardCharsets.UTF_8)
                .replaceAll("\"(firstFrame|frame)\":\\d+", "\"$1\":0")
                .replaceAll("\"trusted\":(true|false)", "\"trusted\":null");
    }

    private RereadableFiles files(Path file) throws IOException {
        return RereadableFiles.of(List.of(file.toString()), null, terminal, false);
    }

    private Path extract(Path file, CallReport call) throws IOException {
        Path target = folder.resolve("one.pcapng");
        RereadableFiles files = files(file);
        CallFrames frames = CallExtract.frames(files, List.of(call), terminal);
        assertThat(CallExtract.write(files, call, PacketTarget.of(target, terminal), terminal))
                .isEqualTo(frames.count());
        return target;
    }

    private void assertEachCallIsTheSame(Path file) throws IOException {
        List<CallReport> calls = calls(file);
        for (CallReport call : calls) {
            List<CallReport> extracted = calls(extract(file, call));
            assertThat(extracted).as("extract of %s", call.callId()).hasSize(1);
            assertThat(report(extracted.getFirst())).isEqualTo(report(call));
        }
    }

    @Test
    void givesTheSameCallInEveryScenario() throws IOException {
        for (String scenario : Scenarios.all().keySet()) {
            assertEachCallIsTheSame(Scenarios.traffic(scenario, 5)
                    .capture(CaptureWriter.pcapng())
                    .writeTo(folder.resolve("all.pcapng")));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void givesTheSameCallOutOfManyAtOnce(long seed) throws IOException {
        assertEachCallIsTheSame(Traffic.random(seed, 30).capture().writeTo(folder.resolve("many.pcap")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "answered", "rtcp", "rtcp-multiplexed-with-xr", "fragments-shuffled", "fragments-of-everything",
                "fragments-in-a-tunnel", "fragments-of-ipv6", "websocket", "tcp-small-segments", "tcp-reordered",
                "tcp-segment-late", "tcp-sequence-wraps", "media-port-unreachable", "mirrored", "link-stacked-vlans",
                "proxy-with-media-relay", "callee-behind-nat", "early-media", "hold-with-music", "ssrc-change"
            })
    void writesEveryPacketWhereThereIsNothingButTheCall(String scenario) throws IOException {
        Capture capture = Scenarios.traffic(scenario, 5).capture(CaptureWriter.pcapng());
        Path file = capture.writeTo(folder.resolve("all.pcapng"));
        Path extracted = extract(file, calls(file).getFirst());
        Offhook.Result print = Offhook.run("print", extracted.toString());
        assertThat(print.out().lines()).hasSize(capture.frames().size());
    }

    /** The first fragment of a tunnel holds all headers of the packet in it, and yet only a part of that. */
    @ParameterizedTest
    @ValueSource(strings = {"answered", "tcp", "fragments-in-order", "fragments-of-tcp-in-a-vlan"})
    void writesEveryFragmentOfATunnel(String scenario) throws IOException {
        Encapsulation tunnel =
                Encapsulation.gre(Addresses.endpoint("172.16.0.1", 0), Addresses.endpoint("172.16.0.2", 0), 7);
        Link link = Link.ethernet().serviceVlan(7).vlan(8);
        Recorder recorder = new Recorder(1);
        for (Frame frame : Scenarios.traffic(scenario, 5).capture().frames()) {
            byte[] bytes = frame.bytes();
            int start = bytes[12] == 0x08 || bytes[12] == (byte) 0x86 ? 14 : 22; // without tags, or behind two
            byte[] packet = Arrays.copyOfRange(bytes, start, bytes.length);
            int mtu = recorder.size() % 2 == 0 ? 1500 : 160;
            for (byte[] piece : IpFragments.split(tunnel.wrap(packet, true), mtu, 1000 + recorder.size())) {
                recorder.add(frame.timestampNs() + recorder.size(), link.linkType(), link.frame(piece, true));
            }
        }
        Path file = folder.resolve("all.pcapng");
        CaptureWriter.pcapng().nanoseconds().write(recorder.frames(), file);
        List<CallReport> calls = calls(file);
        assertThat(calls).hasSize(1);
        Path extracted = extract(file, calls.getFirst());
        assertThat(Offhook.run("print", extracted.toString()).out().lines()).hasSize(recorder.size());
        assertThat(report(calls(extracted).getFirst())).isEqualTo(report(calls.getFirst()));
    }

    @Test
    void keepsTimesLengthsAndLinkTypes() throws IOException {
        Recorder recorder = new Recorder(1);
        Traffic traffic = Scenarios.traffic("link-linux-cooked", 5);
        for (Frame frame : traffic.capture().frames()) {
            recorder.add(frame.timestampNs() + 123, frame.linkType(), frame.bytes());
        }
        Path file = folder.resolve("in.pcapng");
        CaptureWriter.pcapng().nanoseconds().snapLength(400).write(recorder.frames(), file);
        Path extracted = extract(file, calls(file).getFirst());
        String[] command = {"print", "--format", "json"};
        String before =
                Offhook.run(command[0], command[1], command[2], file.toString()).out();
        assertThat(Offhook.run(command[0], command[1], command[2], extracted.toString())
                        .out())
                .isEqualTo(before);
        assertThat(before)
                .contains("123\",\"length\":")
                .contains("\"linkType\":113")
                .contains("\"capturedLength\":400");
    }

    /** Messages of two calls alternate on one connection; cut so that most segments hold parts of both. */
    @ParameterizedTest
    @ValueSource(ints = {0, 97, 350, 700, 1460})
    void extractsMessagesFromASharedConnection(int segmentBytes) throws IOException {
        Recorder recorder = new Recorder(1000);
        Tap tap = new Tap(recorder, new Random(1));
        Endpoint client = Addresses.endpoint("10.0.0.1", 40_000);
        Endpoint server = Addresses.endpoint("10.0.0.2", 5060);
        SentConnection trunk = new SentConnection(tap, client, server, true);
        long time = trunk.open(START_NS);
        for (String[] step : new String[][] {
            {"INVITE", ""}, {"", "180"}, {"", "200"}, {"ACK", ""}, {"INFO", ""}, {"BYE", ""}, {"", "200 BYE"}
        }) {
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            for (String callId : List.of("ours@trunk", "theirs@trunk")) {
                both.write(message(step[0], step[1], callId));
            }
            byte[] bytes = both.toByteArray();
            Segmentation cuts =
                    segmentBytes == 0 ? Segmentation.whole() : Segmentation.every(segmentBytes, bytes.length);
            time = trunk.send(time + 50_000_000, step[1].isEmpty(), bytes, cuts);
        }
        trunk.close(time + 10_000_000, true);
        Path file = folder.resolve("trunk.pcap");
        CaptureWriter.pcap().write(recorder.frames(), file);

        List<CallReport> calls = calls(file);
        assertThat(calls).extracting(CallReport::callId).containsExactly("ours@trunk", "theirs@trunk");
        CallReport ours = calls.getFirst();
        List<CallReport> extracted = new ArrayList<>(calls(extract(file, ours)));
        // a segment that holds messages of both brings the other call's along
        extracted.removeIf(call -> !call.callId().equals("ours@trunk"));
        assertThat(extracted).hasSize(1);
        assertThat(report(extracted.getFirst())).isEqualTo(report(ours));
        if (segmentBytes == 97) {
            int frames =
                    CallExtract.frames(files(file), List.of(ours), terminal).count();
            assertThat(frames).isBetween(recorder.size() / 5, recorder.size() / 2);
        }
    }

    @Test
    void saysThatPacketsOfALongConnectionAreNotFound() throws IOException {
        Recorder recorder = new Recorder(1000);
        SentConnection trunk = new SentConnection(
                new Tap(recorder, new Random(1)),
                Addresses.endpoint("10.0.0.1", 40_000),
                Addresses.endpoint("10.0.0.2", 5060),
                true);
        long time = trunk.send(trunk.open(START_NS), true, message("INVITE", "", "ours@trunk"), Segmentation.whole());
        for (int i = 0; i < 33_000; i++) {
            time = trunk.send(time + 1_000_000, true, new byte[] {'\r', '\n', '\r', '\n'}, Segmentation.whole());
        }
        Path file = folder.resolve("long.pcap");
        CaptureWriter.pcap().write(recorder.frames(), file);
        Offhook.Result result = Offhook.run(
                "call",
                "ours@trunk",
                file.toString(),
                "-w",
                folder.resolve("one.pcapng").toString());
        assertThat(result.code()).isEqualTo(ExitCode.DONE);
        assertThat(result.err()).contains("tcpPacketsUntraced: 66,005 packets of TCP connections");
        assertThat(result.out()).contains("1 packet written to");
    }

    private static byte[] message(String method, String status, String callId) {
        SipMessage message = status.isEmpty()
                ? SipMessage.request(method, "sip:bob@10.0.0.2")
                : SipMessage.response(Integer.parseInt(status.substring(0, 3)), "OK");
        boolean isOfInvite = method.equals("INVITE") || !status.isEmpty() && !status.endsWith("BYE");
        String cseq = isOfInvite ? "1 INVITE" : "3 " + (method.isEmpty() ? "BYE" : method);
        return message.header("Via", "SIP/2.0/TCP 10.0.0.1:40000;branch=z9hG4bK" + callId.hashCode() + cseq.hashCode())
                .header("From", "<sip:alice@10.0.0.1>;tag=a")
                .header("To", "<sip:bob@10.0.0.2>" + (method.equals("INVITE") ? "" : ";tag=b"))
                .header("Call-ID", callId)
                .header("CSeq", cseq)
                .header("User-Agent", "x".repeat(300))
                .bytes();
    }

    @Test
    void leavesPacketsOfALaterCallOnTheSamePortsOut() throws IOException {
        Path file = Scenarios.traffic("media-ports-used-again", 5).capture().writeTo(folder.resolve("again.pcap"));
        List<CallReport> calls = calls(file);
        assertThat(calls).hasSize(3);
        int sum = 0;
        for (CallReport call : calls) {
            sum += CallExtract.frames(files(file), List.of(call), terminal).count();
        }
        assertThat(Offhook.run("print", file.toString()).out().lines()).hasSize(sum);
    }

    @Test
    void refusesToOverwriteItsInput() throws IOException {
        Traffic traffic = new Traffic(1)
                .call(call -> call.callId("a@b").answered().talk(200).hangUp(CALLER));
        Path file = traffic.capture().writeTo(folder.resolve("in.pcap"));
        byte[] before = Files.readAllBytes(file);
        Offhook.Result result = Offhook.run("call", "a@b", file.toString(), "-w", file.toString());
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("is also read");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void reportsWhyItCannotWrite() throws IOException {
        Path file = new Traffic(1)
                .call(call -> call.callId("a@b").answered().talk(200).hangUp(CALLER))
                .capture()
                .writeTo(folder.resolve("in.pcap"));
        String target = folder.resolve("no/such/folder/out.pcapng").toString();
        Offhook.Result result = Offhook.run("call", "a@b", file.toString(), "-w", target);
        assertThat(result.code()).isEqualTo(ExitCode.UNWRITABLE);
        assertThat(result.err()).contains(target).doesNotContain("Exception");
    }
}
