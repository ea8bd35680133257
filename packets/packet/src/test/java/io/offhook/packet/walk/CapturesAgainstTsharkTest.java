package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.fields.LayerFields;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * Holds {@link LayerFields} against the fields that tshark found in the shared captures, field by field, in the order in
 * which they appear. Skipped where that folder is not.
 */
class CapturesAgainstTsharkTest {
    private static final Path CAPTURES =
            Path.of(System.getProperty("offhook.shared", "../../../shared")).resolve("captures");

    /** tshark's column, and our layer and field. */
    private record Column(String theirs, String layer, String field) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("vlan.id", "vlan", "id"),
            new Column("ip.src", "ipv4", "source"),
            new Column("ip.dst", "ipv4", "destination"),
            new Column("ip.proto", "ipv4", "protocol"),
            new Column("ip.ttl", "ipv4", "ttl"),
            new Column("ip.id", "ipv4", "identification"),
            new Column("ip.flags.mf", "ipv4", "moreFragments"),
            new Column("ip.frag_offset", "ipv4", "fragmentOffset"),
            new Column("ipv6.src", "ipv6", "source"),
            new Column("ipv6.dst", "ipv6", "destination"),
            new Column("tcp.srcport", "tcp", "sourcePort"),
            new Column("tcp.dstport", "tcp", "destinationPort"),
            new Column("tcp.seq_raw", "tcp", "sequenceNumber"),
            new Column("tcp.ack_raw", "tcp", "acknowledgmentNumber"),
            new Column("tcp.flags", "tcp", "flags"),
            new Column("udp.srcport", "udp", "sourcePort"),
            new Column("udp.dstport", "udp", "destinationPort"),
            new Column("udp.length", "udp", "length"));

    @Test
    void reportsTheFieldsThatTsharkTells() throws IOException {
        assumeTrue(Files.isDirectory(CAPTURES.resolve("truth")), "no captures at " + CAPTURES);
        List<Path> truths;
        try (Stream<Path> files = Files.list(CAPTURES.resolve("truth"))) {
            truths = files.filter(file -> file.getFileName().toString().contains(".fields.tsv"))
                    .sorted()
                    .toList();
        }
        assertThat(truths).hasSizeGreaterThan(50);
        List<String> differences = new ArrayList<>();
        long[] compared = new long[1];
        for (Path truth : truths) {
            String name = truth.getFileName().toString();
            String capture = name.substring(0, name.indexOf(".fields.tsv")).replace("__", "/");
            compare(find(capture), truth, differences, compared);
        }

        assertThat(differences).isEmpty();
        assertThat(compared[0]).isGreaterThan(500_000);
    }

    /** A double underscore stands for a slash, or for itself. */
    private static Path find(String name) throws IOException {
        Path exact = CAPTURES.resolve(name);
        if (Files.exists(exact)) {
            return exact;
        }
        int slash = name.indexOf('/');
        return CAPTURES.resolve(
                name.substring(0, slash + 1) + name.substring(slash + 1).replace("/", "__"));
    }

    private static void compare(Path capture, Path truth, List<String> differences, long[] compared)
            throws IOException {
        List<String[]> rows = rows(truth);
        List<String> header = Arrays.asList(rows.getFirst());
        PacketWalker walker = new PacketWalker();
        LayerFields fields = new LayerFields();
        Map<Integer, Values> ours = new LinkedHashMap<>();
        CaptureFrames.read(capture, (number, segment, offset, captured, wire, linkType) -> {
            walker.walk(segment, offset, captured, wire, linkType);
            Values values = new Values();
            fields.describe(walker, values);
            ours.put(number, values);
        });
        for (String[] row : rows.subList(1, rows.size())) {
            Values have = ours.get(Integer.parseInt(row[header.indexOf("frame.number")]));
            if (have == null) {
                differences.add(capture + ": frame " + row[0] + " missing");
                continue;
            }
            boolean isQuoted = row[header.indexOf("frame.protocols")].contains("icmp");
            for (Column column : COLUMNS) {
                List<String> wanted = wanted(row[header.indexOf(column.theirs())]);
                List<String> found = have.of(column.layer() + "." + column.field());
                compared[0]++;
                if (!wanted.equals(found) && !(isQuoted && isPrefix(found, wanted))) {
                    differences.add(capture + ": frame " + row[0] + " " + column.theirs() + ": want " + wanted
                            + ", have " + found);
                }
            }
        }
    }

    /** tshark lists what an ICMP error quotes as well; that is not walked. */
    private static boolean isPrefix(List<String> found, List<String> wanted) {
        return found.size() < wanted.size() && wanted.subList(0, found.size()).equals(found);
    }

    private static List<String[]> rows(Path truth) throws IOException {
        try (InputStream raw = Files.newInputStream(truth);
                InputStream in = truth.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1))) {
            return reader.lines().map(line -> line.split("\t", -1)).toList();
        }
    }

    private static List<String> wanted(String cell) {
        return Stream.of(cell.split(",", -1))
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .map(CapturesAgainstTsharkTest::canonical)
                .toList();
    }

    private static String canonical(String value) {
        if (value.startsWith("0x")) {
            return Long.toString(Long.parseLong(value.substring(2), 16));
        }
        if (value.contains(":")) {
            try {
                return InetAddress.ofLiteral(value).getHostAddress();
            } catch (IllegalArgumentException e) {
                throw new AssertionError("tshark printed " + value, e);
            }
        }
        return switch (value) {
            case "True" -> "1";
            case "False" -> "0";
            default -> value;
        };
    }

    /** The values of one packet, by layer and field. */
    private static final class Values implements FieldVisitor {
        private final Map<String, List<String>> values = new LinkedHashMap<>();
        private String layer = "";

        List<String> of(String name) {
            return values.getOrDefault(name, List.of());
        }

        private void add(String name, String value) {
            values.computeIfAbsent(layer + "." + name, key -> new ArrayList<>()).add(value);
        }

        @Override
        public void layer(String label, int position, int headerLength, boolean isCut) {
            layer = label;
        }

        @Override
        public void number(String name, long value) {
            add(name, Long.toString(value));
        }

        @Override
        public void flag(String name, boolean value) {
            add(name, value ? "1" : "0");
        }

        @Override
        public void text(String name, String value) {
            add(name, value.contains(":") && layer.equals("ipv6") ? canonical(value) : value);
        }

        @Override
        public void bytes(String name, MemorySegment segment, long offset, int length) {}
    }
}
