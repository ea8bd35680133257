package io.offhook.cli.calls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.packet.LinkType;
import io.offhook.pcap.file.PcapWriter;
import io.offhook.report.text.Decimals;
import io.offhook.testkit.traffic.IpFragments;
import io.offhook.testkit.traffic.Traffic;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code offhook calls -i} on one end of a veth pair, of a capture that is replayed from the other. */
@EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(180)
class LiveCallsTest {
    private static final String CALLS = "../../samples/calls.pcap";
    private static final String LOSSY = "../../samples/lossy.pcap";

    @AutoClose
    private final CaptureNetwork network = new CaptureNetwork();

    private CaptureNetwork.Running calls(String... args) throws Exception {
        List<String> all = new ArrayList<>(List.of("calls", "-i", CaptureNetwork.RIGHT));
        all.addAll(List.of(args));
        return network.offhook(all.toArray(String[]::new)).awaitError("Ctrl-C ends it");
    }

    private void replay(String sample, String... how) throws Exception {
        List<String> all = new ArrayList<>(List.of("replay", sample, "-i", CaptureNetwork.LEFT));
        all.addAll(List.of(how));
        CaptureNetwork.Running replay = network.offhookLeft(all.toArray(String[]::new));
        assertThat(replay.code()).as(replay.err()).isZero();
    }

    /** What does not depend on when packets came. */
    private static String figures(Map<String, Object> call) {
        StringBuilder figures = new StringBuilder();
        for (String name : List.of("callId", "from", "to", "finalStatus", "hungUpBy", "messages", "codec")) {
            figures.append(call.get(name)).append(' ');
        }
        for (Map<String, Object> stream : Json.objects(call.get("streams"))) {
            for (String name : List.of("ssrc", "direction", "packets", "expected", "lost", "duplicates", "reordered")) {
                figures.append(stream.get(name)).append(' ');
            }
        }
        return figures.toString();
    }

    private static Map<String, String> ofFile(String sample) {
        Map<String, Object> document =
                Json.object(Offhook.run("calls", sample, "--format", "json").out());
        Map<String, String> figures = new HashMap<>();
        for (Map<String, Object> call : Json.objects(document.get("calls"))) {
            figures.put(Json.text(call, "callId"), figures(call));
        }
        return figures;
    }

    @Test
    void reportsEachCallLiveAsFromAFile() throws Exception {
        CaptureNetwork.Running calls = calls("--format", "json");
        replay(CALLS, "--multiply", "5");
        Thread.sleep(6_000); // calls are over for good
        calls.signal("INT");

        assertThat(calls.code()).as(calls.err()).isZero();
        Map<String, String> last = new HashMap<>();
        Map<String, Integer> reported = new HashMap<>();
        Map<String, Object> capture = Map.of();
        for (String line : calls.out().strip().lines().toList()) {
            Map<String, Object> object = Json.object(line);
            if (object.containsKey("capture")) {
                capture = Json.asObject(object.get("capture"));
            } else {
                last.put(Json.text(object, "callId"), figures(object));
                reported.merge(Json.text(object, "callId"), 1, Integer::sum);
            }
        }
        assertThat(last).isEqualTo(ofFile(CALLS));
        // while they went on, though a busy machine may look at some only when they are over
        assertThat(reported.values()).anyMatch(times -> times >= 2);
        Map<String, Object> counts = Json.objects(capture.get("interfaces")).getFirst();
        assertThat(counts)
                .containsEntry("name", CaptureNetwork.RIGHT)
                .containsEntry("received", capture.get("packets"))
                .containsEntry("delivered", capture.get("packets"))
                .containsEntry("ringDrops", 0L)
                .containsEntry("kernelDrops", 0L);
    }

    @Test
    void endsWithTheTableAndTheDropCounters() throws Exception {
        CaptureNetwork.Running calls = calls("-i", "lo", "--pin", "--lanes", "2", "--idle", "yield");
        replay(LOSSY, "--multiply", "4");
        Thread.sleep(1_000);
        calls.signal("TERM");

        assertThat(calls.code()).as(calls.err()).isZero();
        assertThat(calls.out())
                .contains(" alice -> bob ", "Outcome", "lost from")
                .containsPattern("[0-9,]+ packets came, [0-9,]+ read; dropped by kernel 0, ring 0, budget 0\\.")
                .containsPattern("Lane reader-" + CaptureNetwork.RIGHT + ": pinned to processor [0-9]+, seen on ")
                .containsPattern("Lane reader-lo: pinned to processor [0-9]+, seen on ")
                .containsPattern("Lane calls-0: pinned to processor [0-9]+, seen on ")
                .containsPattern("Lane calls-1: pinned to processor [0-9]+, seen on ");
    }

    @Test
    void writesThePacketsThatItAnalyses(@TempDir Path folder) throws Exception {
        Object packets = packets(CALLS);
        for (String name : List.of("live.pcapng", "live.pcap")) {
            String file = folder.resolve(name).toString();
            CaptureNetwork.Running calls =
                    calls("-w", file, "--format", "json", "--filter", "ip", "--count", packets.toString());
            replay(CALLS, "--multiply", "10");

            assertThat(calls.code()).as(calls.err()).isZero();
            assertThat(calls.err()).containsPattern("[0-9,]+ packets written to " + Pattern.quote(file));
            assertThat(ofFile(file)).isEqualTo(ofFile(CALLS));
            String last = calls.out().strip().lines().reduce("", (before, line) -> line);
            assertThat(Json.asObject(Json.object(last).get("capture"))).containsEntry("packets", packets);
            assertThat(packets(file)).isEqualTo(packets);
        }
    }

    private static Object packets(String file) {
        String info = Offhook.done("info", "--format", "json", file).out();
        Map<String, Object> only = Json.objects(Json.object(info).get("files")).getFirst();
        return requireNonNull(only.get("packets"));
    }

    @Test
    void whatCannotBeWrittenIsReportedBeforeTheCapture(@TempDir Path folder) {
        Offhook.Result result =
                Offhook.run("calls", "-i", "lo", "-w", folder + "/missing/live.pcap", "--to", "bob", "--duration", "1");
        assertThat(result.code()).isEqualTo(ExitCode.UNWRITABLE);
        assertThat(result.err()).contains("does not exist");
        assertThat(Offhook.run("calls", CALLS, "-w", folder + "/x.pcap").err())
                .contains("-w needs -i or --hep, live capture");
    }

    @Test
    void listsSelectedCallsAndAppliesFailOnToThem() throws Exception {
        CaptureNetwork.Running calls =
                calls("--failed", "--fail-on", "busy", "--filter", "udp", "--duration", "8", "--format", "csv");
        replay(CALLS, "--multiply", "10");

        assertThat(calls.code()).as(calls.err()).isEqualTo(ExitCode.FOUND);
        assertThat(calls.out()).contains("busy").doesNotContain(",answered,,");
        assertThat(calls.err()).contains("--fail-on busy: 1 call");
    }

    @Test
    void evictsTheCallsThatEndedFirst(@TempDir Path folder) throws Exception {
        Traffic traffic = new Traffic(7).every(2);
        for (int i = 0; i < 1_500; i++) {
            String id = "busy-" + i;
            traffic.call(call -> call.callId(id).invite().rejected(486, "Busy Here"));
        }
        String file = Captures.write(traffic.capture(), folder, "busy.pcap");
        CaptureNetwork.Running calls = calls("--remember", "1000", "--format", "csv");
        replay(file);
        Thread.sleep(1_000);
        calls.signal("INT");

        assertThat(calls.code()).as(calls.err()).isZero();
        List<String> kept = calls.out().lines().skip(1).toList();
        assertThat(kept).hasSizeBetween(900, 1_000);
        assertThat(kept.getLast()).contains("busy-1499");
        assertThat(calls.out()).doesNotContain("busy-0,");
        assertThat(calls.err()).contains("budget 0");
    }

    /** An IPv4 packet with UDP, port 5060 on both sides. */
    private static byte[] udp(byte[] payload) {
        ByteBuffer packet = ByteBuffer.allocate(28 + payload.length);
        packet.putShort((short) 0x4500).putShort((short) packet.capacity()).putInt(0);
        packet.put((byte) 64).put((byte) 17).putShort((short) 0);
        packet.putInt(0xc0000201).putInt(0xc0000202);
        packet.putShort((short) 5060).putShort((short) 5060);
        packet.putShort((short) (8 + payload.length)).putShort((short) 0);
        return packet.put(payload).array();
    }

    private static void write(PcapWriter writer, byte[] packet) {
        try (Arena arena = Arena.ofConfined()) {
            int length = 14 + packet.length;
            MemorySegment frame = arena.allocate(length);
            frame.set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
            frame.set(ValueLayout.JAVA_BYTE, 12, (byte) 8);
            MemorySegment.copy(packet, 0, frame, ValueLayout.JAVA_BYTE, 14, packet.length);
            writer.write(frame, 0, length, length, 0, LinkType.ETHERNET);
        }
    }

    /**
     * What waits for other fragments is copied. A ring has 64 blocks, and hands each over after 10 ms: fragments that kept
     * theirs would have all of them within a second.
     */
    @Test
    void heldFragmentsDoNotOccupyTheRing(@TempDir Path folder) throws Exception {
        String invite = "INVITE sip:bob@192.0.2.2 SIP/2.0\r\nFrom: <sip:alice@192.0.2.1>;tag=1\r\n"
                + "To: <sip:bob@192.0.2.2>\r\nX-Padding: " + "x".repeat(600) + "\r\n"
                + "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1\r\nCall-ID: held@offhook\r\n"
                + "CSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n";
        List<byte[]> halves = IpFragments.split(udp(invite.getBytes(US_ASCII)), 600, 7);
        assertThat(halves).hasSize(2);
        Path file = folder.resolve("held.pcap");
        int fragments = 1_500;
        int others = 1_000;
        try (PcapWriter writer = PcapWriter.create(file, LinkType.ETHERNET)) {
            write(writer, halves.getFirst());
            for (int i = 0; i < fragments; i++) {
                // of datagrams that are never complete
                write(
                        writer,
                        IpFragments.split(udp(new byte[1_000]), 600, 100 + i).getFirst());
            }
            for (int i = 0; i < others; i++) {
                write(writer, udp(new byte[150]));
            }
            write(writer, halves.getLast());
        }
        CaptureNetwork.Running calls = calls("--format", "csv");
        replay(file.toString(), "--rate", "500pps");
        calls.signal("INT");

        assertThat(calls.code()).as(calls.err()).isZero();
        String sent = Decimals.grouped(1 + fragments + others + 1);
        assertThat(calls.err())
                .contains(sent + " packets came, " + sent + " read; dropped by kernel 0, ring 0, budget 0.");
        // its first half has waited while the ring was filled several times over
        assertThat(calls.out()).contains("held@offhook").contains("alice@192.0.2.1");
    }

    @Test
    void endsByItselfWhenTheInterfaceDisappears() throws Exception {
        CaptureNetwork.Running calls = calls();
        network.ip("link", "del", CaptureNetwork.RIGHT);

        assertThat(calls.code()).as(calls.err()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(calls.err()).contains("the interface has disappeared");
    }
}
