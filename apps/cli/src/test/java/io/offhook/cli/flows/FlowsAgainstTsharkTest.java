package io.offhook.cli.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.flow.table.Flow;
import io.offhook.flow.table.FlowLimits;
import io.offhook.flow.table.FlowTable;
import io.offhook.flow.tcp.TcpFlow;
import io.offhook.flow.tcp.TcpRoundTrip;
import io.offhook.flow.tcp.TcpSign;
import io.offhook.packet.Endpoint;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Flows against tshark's conversations, Community IDs and tcp.analysis, on captures of the shared folder: a few that have
 * much of each, or with {@code -Doffhook.captures=REGEX} all whose path matches. Differences are those that
 * docs/conformance/flows.tsv lists with their reasons, as many and no others; {@code -Doffhook.differences=FILE} writes them
 * to a file.
 */
class FlowsAgainstTsharkTest {
    private static final Path CAPTURES = Path.of("../../../shared/captures");
    private static final Path EXCEPTIONS = Path.of("../../docs/conformance/flows.tsv");

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

    /** Of each capture, how many differences of each kind there are. */
    private static final Map<String, Map<String, Integer>> excused = new TreeMap<>();

    @BeforeAll
    static void needsTsharkAndCaptures() throws IOException {
        assumeTrue(Files.isDirectory(CAPTURES), "no ../shared/captures");
        assumeTrue(TsharkFlows.isInstalled(), "no tshark");
        for (String line : Files.readAllLines(EXCEPTIONS)) {
            if (line.startsWith("#")) {
                continue;
            }
            String[] cells = line.split("\t", -1);
            assertThat(cells).as(line).hasSize(4);
            assertThat(cells[3]).as("the reason in " + line).isNotBlank();
            excused.computeIfAbsent(cells[0], key -> new TreeMap<>()).put(cells[1], Integer.valueOf(cells[2]));
        }
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

    /** Is given each packet of a capture, counted. */
    private interface Visitor {
        void packet(Flow flow, int signs, long frameNumber);
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
                        visitor.packet(flow, table.lastSigns(), batch.number(i));
                    }
                }
            }
        }
        table.flush();
        return flows;
    }

    /** What was compared and what differs, by kind. */
    private static final class Comparison {
        private final TsharkFlows theirs;
        private final Map<String, List<String>> differences = new TreeMap<>();
        private final IdentityHashMap<TcpFlow, Long> samples = new IdentityHashMap<>();
        private int compared;
        private int roundTrips;

        Comparison(TsharkFlows theirs) {
            this.theirs = theirs;
        }

        void differ(String kind, String difference) {
            differences.computeIfAbsent(kind, key -> new ArrayList<>()).add(difference);
        }

        void packet(Flow flow, int signs, long number) {
            String id = theirs.communityIds.get(number);
            if (id != null) {
                compared++;
                if (!flow.key().communityId().equals(id)) {
                    differ("id", number + ": tshark " + id + ", ours " + flow.key());
                }
            }
            TcpFlow tcp = flow.tcp();
            if (tcp != null && theirs.signs.containsKey(number)) {
                compared++;
                signs(flow, signs, number);
                handshake(flow, tcp, number);
                roundTrip(flow, tcp, number);
            }
        }

        @SuppressWarnings("EnumOrdinal") // an index of the list
        private void signs(Flow flow, int signs, long number) {
            StringBuilder ours = new StringBuilder();
            for (TcpSign sign : TcpSign.values()) {
                boolean isShown = sign.isIn(signs) && sign != TcpSign.ACKED_UNSEEN;
                ours.append(isShown ? TsharkFlows.ANALYSIS.get(sign.ordinal()) + " " : "");
            }
            String their = theirs.signs.getOrDefault(number, "");
            if (!ours.toString().equals(their)) {
                differ("signs", number + " " + flow.key() + ": tshark " + their + ", ours " + ours);
            }
        }

        private void handshake(Flow flow, TcpFlow tcp, long number) {
            String rtt = theirs.handshakes.getOrDefault(number, "");
            // tshark has one for a SYN that was refused, too
            if (!rtt.isEmpty() && tcp.isHandshakeSeen() && !isAlike(rtt, tcp.handshakeRoundTripNs())) {
                differ(
                        "handshake",
                        number + " " + flow.key() + ": tshark " + rtt + ", ours " + tcp.handshakeRoundTripNs());
            }
        }

        /** What was measured here was measured there; not all that is measured there is here (Karn's algorithm). */
        private void roundTrip(Flow flow, TcpFlow tcp, long number) {
            TcpRoundTrip there = tcp.roundTripToDestination();
            TcpRoundTrip back = tcp.roundTripToSource();
            long known = samples.getOrDefault(tcp, 0L);
            long now = there.samples() << 32 | back.samples();
            samples.put(tcp, now);
            if (now == known) {
                return;
            }
            roundTrips++;
            long ns = now >>> 32 == known >>> 32 ? back.lastNs() : there.lastNs();
            String their = theirs.acknowledgedAfter.getOrDefault(number, "0"); // tshark prints none of 0
            if (!isAlike(their, ns)) {
                differ("round trip", number + " " + flow.key() + ": tshark " + their + ", ours " + ns);
            }
        }

        private static boolean isAlike(String seconds, long ns) {
            return Math.abs(Double.parseDouble(seconds) * 1e9 - ns) <= 1;
        }

        void conversations(List<Flow> flows) {
            Map<String, Side> ours = new TreeMap<>();
            for (Flow flow : flows) {
                int protocol = flow.key().protocol();
                if (flow.key().hasPorts() && (protocol == 6 || protocol == 17)) {
                    add(ours, flow, protocol == 6 ? "tcp " : "udp ", true);
                }
                add(ours, flow, flow.key().version() == 4 ? "ip " : "ipv6 ", false);
            }
            theirs.sides.forEach((key, side) -> {
                compared++;
                Side our = ours.get(key);
                String text = our == null ? "0 frames, 0 bytes" : our.toString();
                // several conversations on the same ports cannot be added up once they are rounded
                boolean isSame = side.equals(text) || side.contains("+") && our != null && sum(side) == our.frames;
                if (!isSame) {
                    differ("conversations", key + ": tshark " + side + ", ours " + text);
                }
            });
            ours.forEach((key, side) -> {
                if (!theirs.sides.containsKey(key)) {
                    differ("conversations", key + ": tshark nothing, ours " + side);
                }
            });
        }
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

    private static long sum(String sides) {
        long sum = 0;
        for (String side : sides.split(" \\+ ", -1)) {
            sum += Long.parseLong(side.substring(0, side.indexOf(' ')));
        }
        return sum;
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
    void agreesWithTshark(String capture) throws IOException {
        Comparison comparison = new Comparison(TsharkFlows.of(CAPTURES.resolve(capture)));
        List<Flow> flows = flows(capture, comparison::packet);
        comparison.conversations(flows);
        report(capture, comparison);
        Map<String, Integer> counts = new TreeMap<>();
        comparison.differences.forEach((kind, differences) -> counts.put(kind, differences.size()));
        assertThat(counts)
                .as(() -> capture + ": "
                        + comparison.differences.values().stream()
                                .flatMap(differences -> differences.stream().limit(10))
                                .toList())
                .isEqualTo(excused.getOrDefault(capture, Map.of()));
        if (CHOSEN.contains(capture)) {
            assertThat(comparison.compared).isPositive();
        }
    }

    private static void report(String capture, Comparison comparison) throws IOException {
        String file = System.getProperty("offhook.differences");
        if (file == null) {
            return;
        }
        List<String> lines = new ArrayList<>();
        lines.add(capture + "\tcompared\t" + comparison.compared + "\t"
                + comparison.theirs.sides.size() + " sides, "
                + comparison.theirs.communityIds.size() + " ids, "
                + comparison.theirs.signs.size() + " segments, "
                + comparison.roundTrips + " of "
                + comparison.theirs.acknowledgedAfter.size() + " round trips");
        comparison.differences.forEach((kind, differences) ->
                differences.forEach(difference -> lines.add(capture + "\t" + kind + "\t" + difference)));
        Files.write(Path.of(file), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
