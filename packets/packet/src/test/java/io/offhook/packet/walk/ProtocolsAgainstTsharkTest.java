package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.Protocol;
import io.offhook.packet.fields.ApplicationRecognizer;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the fields of layers and applications against those that tshark, run here, finds in captures that have the
 * protocol: tshark-fields.tsv says which. Skipped where tshark or the captures are not.
 */
class ProtocolsAgainstTsharkTest {
    private static final Path CAPTURES =
            Path.of(System.getProperty("offhook.shared", "../../../shared")).resolve("captures");

    /**
     * One field of ours and of tshark's.
     *
     * @param isPartly whether tshark goes on where we stop (several messages in a segment): then the first value is compared,
     *     where both have one
     */
    private record Column(String ours, String theirs, boolean isPartly) {}

    @Test
    void reportsWhatTsharkTells() throws IOException, InterruptedException {
        assumeTrue(Files.isDirectory(CAPTURES), "no captures at " + CAPTURES);
        assumeTrue(hasTshark(), "no tshark");
        List<String> differences = new ArrayList<>();
        Set<String> reported = new HashSet<>();
        Set<String> asked = new HashSet<>();
        long compared = 0;
        for (Map.Entry<String, List<Column>> capture : columns().entrySet()) {
            Map<Integer, Map<String, List<String>>> ours = ours(CAPTURES.resolve(capture.getKey()));
            for (String[] row : theirs(CAPTURES.resolve(capture.getKey()), capture.getValue())) {
                if (row.length < 2 || !row[1].isEmpty()) {
                    continue; // malformed, to tshark
                }
                int frame = Integer.parseInt(row[0]);
                for (int i = 0; i < capture.getValue().size(); i++) {
                    Column column = capture.getValue().get(i);
                    asked.add(column.ours());
                    List<String> wanted = wanted(i + 2 < row.length ? row[i + 2] : "");
                    List<String> found = ours.getOrDefault(frame, Map.of()).getOrDefault(column.ours(), List.of());
                    if (!found.isEmpty()) {
                        reported.add(column.ours());
                    }
                    if (!matches(column, wanted, found)) {
                        differences.add(capture.getKey() + ": frame " + frame + " " + column.ours() + ": want " + wanted
                                + ", have " + found);
                    }
                    compared++;
                }
            }
        }

        assertThat(differences).isEmpty();
        assertThat(reported).as("fields that were seen at least once").isEqualTo(asked);
        assertThat(compared).isGreaterThan(15_000);
    }

    private static boolean matches(Column column, List<String> wanted, List<String> found) {
        if (column.isPartly()) {
            return wanted.isEmpty() || found.isEmpty() || wanted.getFirst().equals(found.getFirst());
        }
        return wanted.equals(found);
    }

    private static boolean hasTshark() throws InterruptedException {
        try {
            Process process = new ProcessBuilder("tshark", "-v")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static Map<String, List<Column>> columns() throws IOException {
        Map<String, List<Column>> columns = new LinkedHashMap<>();
        try (InputStream in =
                Objects.requireNonNull(ProtocolsAgainstTsharkTest.class.getResourceAsStream("tshark-fields.tsv"))) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                String[] cell = line.split("\t", -1);
                for (String capture : line.startsWith("#") ? new String[0] : cell[2].split(" ", -1)) {
                    boolean isPartly = capture.startsWith("~");
                    columns.computeIfAbsent(isPartly ? capture.substring(1) : capture, key -> new ArrayList<>())
                            .add(new Column(cell[0], cell[1], isPartly));
                }
            }
        }
        return columns;
    }

    private static List<String[]> theirs(Path capture, List<Column> columns) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", capture.toString(), "-T", "fields"));
        command.addAll(List.of("-E", "occurrence=a", "-E", "aggregator=|", "-o", "ip.defragment:FALSE"));
        command.addAll(List.of("-o", "tcp.desegment_tcp_streams:FALSE", "-e", "frame.number", "-e", "_ws.malformed"));
        columns.forEach(column -> command.addAll(List.of("-e", column.theirs())));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String[]> rows;
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            rows = reader.lines().map(line -> line.split("\t", -1)).toList();
        }
        assertThat(process.waitFor()).as("tshark on %s", capture).isZero();
        return rows;
    }

    private static Map<Integer, Map<String, List<String>>> ours(Path capture) throws IOException {
        Map<Integer, Map<String, List<String>>> frames = new HashMap<>();
        PacketWalker walker = new PacketWalker();
        LayerFields layers = new LayerFields();
        ApplicationRecognizer recognizer = new ApplicationRecognizer();
        CaptureFrames.read(capture, (number, segment, offset, captured, wire, linkType) -> {
            walker.walk(segment, offset, captured, wire, linkType);
            Values values = new Values();
            layers.describe(walker, values);
            Protocol application = recognizer.recognize(walker);
            if (application != null) {
                values.layer = application.label();
                application.fields(recognizer.message(), values);
            }
            frames.put(number, values.byName);
        });
        return frames;
    }

    private static List<String> wanted(String cell) {
        return Stream.of(cell.split("\\|", -1))
                .filter(value -> !value.isEmpty())
                .map(ProtocolsAgainstTsharkTest::canonical)
                .toList();
    }

    private static String canonical(String value) {
        if (value.startsWith("0x")) {
            return Long.toString(Long.parseLong(value.substring(2), 16));
        }
        if (value.contains("::") || value.chars().filter(c -> c == ':').count() == 7) {
            return InetAddress.ofLiteral(value).getHostAddress();
        }
        return value;
    }

    /** The values of one packet, by layer and field. */
    private static final class Values implements FieldVisitor {
        final Map<String, List<String>> byName = new HashMap<>();
        private String layer = "";

        private void add(String name, String value) {
            byName.computeIfAbsent(layer + "." + name, key -> new ArrayList<>()).add(value);
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
            add(name, Boolean.toString(value));
        }

        @Override
        public void text(String name, String value) {
            add(name, canonical(value));
        }

        @Override
        public void bytes(String name, MemorySegment segment, long offset, int length) {}
    }
}
