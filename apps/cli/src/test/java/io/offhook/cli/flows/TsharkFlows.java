package io.offhook.cli.flows;

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

/** What tshark says of a capture's flows: one run of it, for all that is compared. */
final class TsharkFlows {
    /** ack_lost_segment: told once for each hole here; again there, when the other side has acknowledged something. */
    static final String COUNTED_OTHERWISE = "";

    /** Its field for each sign, in the order of the signs. */
    static final List<String> ANALYSIS = List.of(
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

    private static final int ID = 1;
    private static final int STREAM = 2;
    private static final int HANDSHAKE = 3;
    private static final int ACK_RTT = 4;
    private static final int FIRST_SIGN = 5;

    private static final Pattern CONVERSATION = Pattern.compile(
            "(\\S+)\\s+<->\\s+(\\S+)\\s+(\\d+) ([0-9.]+ \\S+)\\s+(\\d+) ([0-9.]+ \\S+)\\s+(\\d+) ([0-9.]+ \\S+)\\s.*");

    /** By frame number. */
    final Map<Long, String> communityIds = new TreeMap<>();

    /** By frame number, of TCP: names, with a blank behind each. */
    final Map<Long, String> signs = new TreeMap<>();

    /** By frame number, in seconds. */
    final Map<Long, String> handshakes = new TreeMap<>();

    /** By frame number, in seconds. */
    final Map<Long, String> acknowledgedAfter = new TreeMap<>();

    /** "tcp A:PORT > B:PORT" to "N frames, M bytes", with " + " where there are several such conversations. */
    final Map<String, String> sides = new TreeMap<>();

    private String kind = "";

    private TsharkFlows() {}

    static boolean isInstalled() {
        String path = System.getenv("PATH");
        return path != null
                && Stream.of(path.split(File.pathSeparator, -1))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "tshark")));
    }

    static TsharkFlows of(Path capture) throws IOException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", capture.toString()));
        for (String table : List.of("tcp", "udp", "ip", "ipv6")) {
            command.addAll(List.of("-z", "conv," + table));
        }
        command.addAll(List.of("--enable-protocol", "communityid", "-T", "fields", "-E", "occurrence=l"));
        List<String> fields = new ArrayList<>(List.of(
                "frame.number", "communityid", "tcp.stream", "tcp.analysis.initial_rtt", "tcp.analysis.ack_rtt"));
        ANALYSIS.forEach(field -> fields.add(field.isEmpty() ? "tcp.ack" : "tcp.analysis." + field));
        fields.forEach(field -> command.addAll(List.of("-e", field)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        TsharkFlows flows = new TsharkFlows();
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .forEach(flows::read);
        return flows;
    }

    private void read(String line) {
        Matcher matcher = CONVERSATION.matcher(line);
        if (line.endsWith(" Conversations")) {
            kind = line.substring(0, line.indexOf(' ')).replace("IPv4", "ip").toLowerCase(Locale.ROOT) + " ";
        } else if (matcher.matches()) {
            put(kind + matcher.group(1) + " > " + matcher.group(2), matcher.group(5), matcher.group(6));
            put(kind + matcher.group(2) + " > " + matcher.group(1), matcher.group(3), matcher.group(4));
        } else if (kind.isEmpty() && line.indexOf('\t') > 0) {
            packet(line.split("\t", -1));
        }
    }

    private void put(String key, String frames, String bytes) {
        sides.merge(
                key,
                frames + " frames, " + bytes,
                (a, b) -> a.startsWith("0 frames") ? b : b.startsWith("0 frames") ? a : a + " + " + b);
    }

    private void packet(String[] cells) {
        Long number = Long.valueOf(cells[0]);
        if (!cell(cells, ID).isEmpty()) {
            communityIds.put(number, cell(cells, ID));
        }
        if (cell(cells, STREAM).isEmpty()) {
            return;
        }
        StringBuilder shown = new StringBuilder();
        boolean isToldApart = !cell(cells, FIRST_SIGN + 1).isEmpty()
                || !cell(cells, FIRST_SIGN + 2).isEmpty();
        for (int i = 0; i < ANALYSIS.size(); i++) {
            // a fast or a spurious one is a retransmission there, too
            boolean isShown = !cell(cells, i + FIRST_SIGN).isEmpty()
                    && !(i == 0 && isToldApart)
                    && !ANALYSIS.get(i).equals(COUNTED_OTHERWISE);
            shown.append(isShown ? ANALYSIS.get(i) + " " : "");
        }
        signs.put(number, shown.toString());
        handshakes.put(number, cell(cells, HANDSHAKE));
        if (!cell(cells, ACK_RTT).isEmpty()) {
            acknowledgedAfter.put(number, cell(cells, ACK_RTT));
        }
    }

    private static String cell(String[] cells, int i) {
        return i < cells.length ? cells[i] : "";
    }
}
