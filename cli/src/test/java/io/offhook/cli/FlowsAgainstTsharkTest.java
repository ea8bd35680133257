package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.flow.Flow;
import io.offhook.flow.FlowLimits;
import io.offhook.flow.FlowTable;
import io.offhook.flow.TcpFlow;
import io.offhook.flow.TcpSign;
import io.offhook.packet.Endpoint;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.PacketWalker;
import io.offhook.pcap.CaptureFileSource;
import io.offhook.pcap.CaptureFiles;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Flows against tshark's conversations, Community IDs and tcp.analysis, on captures of the shared folder: a few that have
 * much of each, or with {@code -Doffhook.captures=REGEX} all whose path matches. What differs on purpose is in
 * docs/CONFORMANCE.md.
 */
class FlowsAgainstTsharkTest {
    private static final Path CAPTURES = Path.of("../../shared/captures");

    private static final List<String> CHOSEN = List.of(
            "pcapplusplus/example.pcap",
            "wireshark-wiki/sip-tls-1.3-and-rtcp.pcap",
            "sharppcap/10k_packets.pcap",
            "sip-captures/test_voip.pcap.pcapng",
            "ndpi/1kxun.pcap",
            "ndpi/synscan.pcap",
            "ndpi/coap_mqtt.pcap",
            "ndpi/icmp-tunnel.pcap",
            "tcpflow/local2.pcap",
            "suricata/tcp-rst-unacked-stream-12__TLPW1-tcp-110.37.219.134-10.12.14.101-tcp-990-49254.pcap",
            "zeek/tcp__missing-syn.pcap");

    private static final Pattern CONVERSATION = Pattern.compile(
            "(\\S+)\\s+<->\\s+(\\S+)\\s+(\\d+) ([0-9.]+ \\S+)\\s+(\\d+) ([0-9.]+ \\S+)\\s+(\\d+) ([0-9.]+ \\S+)\\s.*");

    /** ack_lost_segment: told once for each hole here; again there, when the other side has acknowledged something. */
    private static final String COUNTED_OTHERWISE = "";

    /** tshark's field for each sign, in the order of the signs. */
    private static final List<String> ANALYSIS = List.of(
            "retransmission",
            "fast_retransmission",
            "spurious_retransmission",
            "out_of_order",
            "lost_segment",
            COUNTED_OTHERWISE,
            "duplicate_ack",
            "keep_alive",
            "keep_alive_ack",
            "zero_window",
            "zero_window_probe",
            "zero_window_probe_ack",
            "window_update",
            "window_full");

    @BeforeAll
    static void needsTsharkAndCaptures() {
        assumeTrue(Files.isDirectory(CAPTURES), "no ../shared/captures");
        String path = System.getenv("PATH");
        assumeTrue(
                path != null
                        && Stream.of(path.split(File.pathSeparator, -1))
                                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "tshark"))),
                "no tshark");
    }

    static Stream<String> captures() throws IOException {
        String wanted = System.getProperty("offhook.captures");
        if (wanted == null || !Files.isDirectory(CAPTURES)) {
            return CHOSEN.stream();
        }
        Pattern pattern = Pattern.compile(wanted);
        return Files.readAllLines(CAPTURES.resolve("truth.tsv")).stream()
                .skip(1)
                .map(line -> line.substring(0, line.indexOf('\t')))
                .filter(name -> pattern.matcher(name).find());
    }

    private static List<String> tshark(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    private static String cell(String[] cells, int i) {
        return i < cells.length ? cells[i] : "";
    }

    /** Is given each packet of a capture, counted. */
    private interface Visitor {
        void packet(PacketWalker walker, Flow flow, int signs, long frameNumber);
    }

    private static List<Flow> flows(String capture, Visitor visitor) {
        List<Flow> flows = new ArrayList<>();
        FlowTable table =
                new FlowTable(new FlowLimits(1 << 20, Long.MAX_VALUE, Long.MAX_VALUE), (flow, end) -> flows.add(flow));
        PacketWalker walker = new PacketWalker();
        FrameBatch batch = new FrameBatch(4096);
        String path = CAPTURES.resolve(capture).toString();
        try (CaptureFileSource source = CaptureFiles.open(List.of(path), new ByteArrayInputStream(new byte[0]))) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    int length = batch.wireLength(i);
                    walker.walk(
                            batch.segmentOf(i), batch.offset(i), batch.capturedLength(i), length, batch.linkType(i));
                    Flow flow = table.add(walker, length, batch.timestampNs(i), batch.number(i));
                    if (flow != null) {
                        visitor.packet(walker, flow, table.lastSigns(), batch.number(i));
                    }
                }
            }
        }
        table.flush();
        return flows;
    }

    /** Frames and bytes of one direction; bytes as tshark rounds them where it does. */
    private static final class Side {
        private long frames;
        private long bytes;

        @Override
        public String toString() {
            return frames + " frames, " + bytes(bytes);
        }
    }

    /** As tshark 4.0 has them: whole up to 9,999, then in thousands, millions... */
    private static String bytes(long bytes) {
        return bytes < 10_000
                ? bytes + " bytes"
                : bytes < 10_000_000 ? bytes / 1000 + " kB" : bytes < 10_000_000_000L ? bytes / 1_000_000 + " MB" : "";
    }

    @ParameterizedTest
    @MethodSource("captures")
    void countsAsItsConversations(String capture) throws IOException {
        Map<String, Side> ours = new TreeMap<>();
        List<Flow> flows = flows(capture, (walker, flow, signs, number) -> {});
        for (Flow flow : flows) {
            int protocol = flow.key().protocol();
            if (flow.key().hasPorts() && (protocol == 6 || protocol == 17)) {
                add(ours, flow, protocol == 6 ? "tcp " : "udp ", true);
            }
            add(ours, flow, flow.key().version() == 4 ? "ip " : "ipv6 ", false);
        }
        Map<String, String> theirs = new TreeMap<>();
        Map<String, Integer> conversations = new TreeMap<>();
        String kind = "";
        for (String line : tshark(
                "-r",
                CAPTURES.resolve(capture).toString(),
                "-q",
                "-z",
                "conv,tcp",
                "-z",
                "conv,udp",
                "-z",
                "conv,ip",
                "-z",
                "conv,ipv6")) {
            Matcher matcher = CONVERSATION.matcher(line);
            if (line.endsWith(" Conversations")) {
                kind = line.substring(0, line.indexOf(' '))
                                .replace("IPv4", "ip")
                                .toLowerCase(Locale.ROOT) + " ";
            } else if (matcher.matches()) {
                String there = kind + matcher.group(1) + " > " + matcher.group(2);
                String back = kind + matcher.group(2) + " > " + matcher.group(1);
                conversations.merge(there, 1, Integer::sum);
                put(theirs, there, matcher.group(5), matcher.group(6));
                put(theirs, back, matcher.group(3), matcher.group(4));
            }
        }
        List<String> differences = new ArrayList<>();
        theirs.forEach((key, side) -> {
            Side our = ours.get(key);
            String text = our == null ? "0 frames, 0 bytes" : our.toString();
            // several conversations on the same ports cannot be added up once they are rounded
            boolean isSame = side.equals(text) || side.contains("+") && our != null && sum(side) == our.frames;
            if (!isSame) {
                differences.add(key + ": tshark " + side + ", ours " + text);
            }
        });
        ours.keySet().stream()
                .filter(key -> !theirs.containsKey(key))
                .forEach(key -> differences.add(key + ": tshark nothing, ours " + ours.get(key)));
        assertThat(theirs).isNotEmpty();
        assertThat(differences).isEmpty();
    }

    private static long sum(String sides) {
        long sum = 0;
        for (String side : sides.split(" \\+ ", -1)) {
            sum += Long.parseLong(side.substring(0, side.indexOf(' ')));
        }
        return sum;
    }

    private static void put(Map<String, String> theirs, String key, String frames, String bytes) {
        theirs.merge(
                key,
                frames + " frames, " + bytes,
                (a, b) -> a.startsWith("0 frames") ? b : b.startsWith("0 frames") ? a : a + " + " + b);
    }

    private static void add(Map<String, Side> sides, Flow flow, String kind, boolean hasPorts) {
        String source = text(flow.source(), hasPorts);
        String destination = text(flow.destination(), hasPorts);
        Side there = sides.computeIfAbsent(kind + source + " > " + destination, key -> new Side());
        Side back = sides.computeIfAbsent(kind + destination + " > " + source, key -> new Side());
        there.frames += flow.forwardPackets();
        there.bytes += flow.forwardBytes();
        back.frames += flow.reversePackets();
        back.bytes += flow.reverseBytes();
    }

    private static String text(Endpoint endpoint, boolean hasPort) {
        return hasPort ? endpoint.addressText() + ":" + endpoint.port() : endpoint.addressText();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void givesItsCommunityIds(String capture) throws IOException {
        Map<Long, String> theirs = new TreeMap<>();
        for (String line : tshark(
                "-r",
                CAPTURES.resolve(capture).toString(),
                "--enable-protocol",
                "communityid",
                "-T",
                "fields",
                "-e",
                "frame.number",
                "-e",
                "communityid")) {
            String[] cells = line.split("\t", -1);
            if (cells.length == 2 && !cells[1].isEmpty()) {
                theirs.put(Long.valueOf(cells[0]), cells[1]);
            }
        }
        List<String> differences = new ArrayList<>();
        flows(capture, (walker, flow, signs, number) -> {
            String their = theirs.get(number);
            if (their != null && !flow.key().communityId().equals(their)) {
                differences.add(number + ": tshark " + their + ", ours " + flow.key() + " "
                        + flow.key().communityId());
            }
        });
        assertThat(theirs).isNotEmpty();
        assertThat(differences).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("captures")
    @SuppressWarnings("EnumOrdinal") // an index of the list above
    void seesWhatItsAnalysisSees(String capture) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-r",
                CAPTURES.resolve(capture).toString(),
                "-Y",
                "tcp",
                "-T",
                "fields",
                "-E",
                "occurrence=l",
                "-e",
                "frame.number",
                "-e",
                "tcp.stream",
                "-e",
                "tcp.analysis.initial_rtt"));
        ANALYSIS.forEach(
                field -> arguments.addAll(List.of("-e", field.isEmpty() ? "tcp.ack" : "tcp.analysis." + field)));
        Map<Long, String> theirs = new TreeMap<>();
        Map<Long, String> handshakes = new TreeMap<>();
        for (String line : tshark(arguments.toArray(String[]::new))) {
            String[] cells = line.split("\t", -1);
            StringBuilder signs = new StringBuilder();
            boolean isToldApart = !cell(cells, 4).isEmpty() || !cell(cells, 5).isEmpty();
            for (int i = 0; i < ANALYSIS.size(); i++) {
                // a fast or a spurious one is a retransmission there, too
                boolean isShown = !cell(cells, i + 3).isEmpty()
                        && !(i == 0 && isToldApart)
                        && !ANALYSIS.get(i).equals(COUNTED_OTHERWISE);
                signs.append(isShown ? ANALYSIS.get(i) + " " : "");
            }
            theirs.put(Long.valueOf(cells[0]), signs.toString());
            handshakes.put(Long.valueOf(cells[0]), cell(cells, 2));
        }
        List<String> differences = new ArrayList<>();
        flows(capture, (walker, flow, signs, number) -> {
            TcpFlow tcp = flow.tcp();
            if (tcp == null || !theirs.containsKey(number)) {
                return;
            }
            StringBuilder ours = new StringBuilder();
            for (TcpSign sign : TcpSign.values()) {
                ours.append(sign.isIn(signs) && sign != TcpSign.ACKED_UNSEEN ? ANALYSIS.get(sign.ordinal()) + " " : "");
            }
            String their = theirs.getOrDefault(number, "");
            if (!ours.toString().equals(their)) {
                differences.add(number + " " + flow.key() + ": tshark " + their + ", ours " + ours);
            }
            String rtt = handshakes.getOrDefault(number, "");
            // tshark has one for a SYN that was refused, too
            if (!rtt.isEmpty()
                    && tcp.isHandshakeSeen()
                    && Math.abs(Double.parseDouble(rtt) * 1e9 - tcp.handshakeRoundTripNs()) > 1) {
                differences.add(number + " " + flow.key() + ": initial rtt tshark " + rtt + ", ours "
                        + tcp.handshakeRoundTripNs());
            }
        });
        assertThat(differences).isEmpty();
    }
}
