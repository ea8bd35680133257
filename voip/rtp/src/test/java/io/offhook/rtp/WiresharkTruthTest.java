package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.WrapStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds {@link WiresharkStream} against what tshark 4.0 printed of public captures. Needs the folder of captures. */
class WiresharkTruthTest {
    private static final OneRow ROW = new OneRow();

    private static final Path CAPTURES = Path.of("../../../shared/captures");
    private static final Pattern LINE =
            Pattern.compile("^\\s*([\\d.]+)\\s+([\\d.]+)\\s+(\\S+)\\s+(\\d+)\\s+(\\S+)\\s+(\\d+)"
                    + "\\s+(0x[0-9A-Fa-f]{8})\\s+(.*?)\\s+(\\d+)\\s+(-?\\d+) \\((-?[\\d.]+)%\\)\\s+(-?[\\d.]+)\\s+(-?[\\d.]+)"
                    + "\\s+(-?[\\d.]+)\\s+(-?[\\d.]+)\\s+(-?[\\d.]+)\\s+(-?[\\d.]+).*");
    private static final Pattern MEDIA = Pattern.compile("m=\\w+ (\\d+)");
    private static final Pattern CONNECTION = Pattern.compile("c=IN IP[46] (\\S+)");
    private static final Pattern RTPMAP = Pattern.compile("a=rtpmap:(\\d+) ([^/\\s]+)/(\\d+)");

    /** Differences on purpose: what tshark calls RTP here is 162 octets of 0xAA whose padding count is beyond them. */
    private static final String IMPOSSIBLE_PADDING =
            "0XAAAAAAAA 192.168.1.2:30000 212.242.33.36:40392 packets: want 1, have 0";

    /** A line of tshark's table. */
    private record Truth(String key, double start, double end, long packets, long lost, List<String> figures) {}

    @Test
    void printsWhatTsharkPrints() throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(CAPTURES.resolve("truth")), "no ../shared/captures");
        int[] streams = new int[1];
        List<String> misses = new ArrayList<>();
        try (Stream<Path> files = Files.list(CAPTURES.resolve("truth"))) {
            files.filter(f -> f.getFileName().toString().matches(".*\\.rtpstreams(-heur)?\\.txt"))
                    .sorted()
                    .forEach(f -> streams[0] += compare(f, misses));
        }
        misses.removeIf(miss -> miss.endsWith(IMPOSSIBLE_PADDING));
        assertThat(streams[0]).isGreaterThan(100);
        assertThat(misses).isEmpty();
    }

    @Test
    void printsWhatTsharkPrintsOfRandomStreams(@TempDir Path folder) throws IOException, InterruptedException {
        Assumptions.assumeTrue(isTsharkThere(), "no tshark 4.0 on the path");
        long seed = Long.getLong("offhook.seed", 20_261_121);
        Path file = folder.resolve("random.pcap");
        RandomCapture.write(file, new Random(seed), 300);
        Path table = folder.resolve("streams.txt");
        Process tshark = new ProcessBuilder(
                        "tshark",
                        "-r",
                        file.toString(),
                        "-d",
                        "udp.port==" + RandomCapture.PORT + ",rtp",
                        "-q",
                        "-z",
                        "rtp,streams")
                .redirectOutput(table.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(tshark.waitFor()).isZero();
        CaptureBytes capture = CaptureBytes.read(file);
        List<String> misses = new ArrayList<>();
        List<Truth> truths = truths(table);
        truths.forEach(truth -> check("seed " + seed + " " + truth.key(), capture, truth, misses));
        assertThat(truths).hasSize(300);
        assertThat(misses).isEmpty();
    }

    private static boolean isTsharkThere() throws InterruptedException {
        try {
            Process version = new ProcessBuilder("tshark", "--version")
                    .redirectErrorStream(true)
                    .start();
            String text = new String(version.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            return version.waitFor() == 0 && text.contains("TShark (Wireshark) 4.0.");
        } catch (IOException e) {
            return false;
        }
    }

    private static int compare(Path truthFile, List<String> misses) {
        try {
            String name = truthFile.getFileName().toString().replaceAll("\\.rtpstreams(-heur)?\\.txt$", "");
            boolean heuristic = truthFile.toString().endsWith("-heur.txt");
            CaptureBytes capture = CaptureBytes.read(CAPTURES.resolve(name.replaceFirst("__", "/")));
            List<Truth> truths = truths(truthFile);
            for (Truth truth : truths) {
                check(name + (heuristic ? " (heuristic) " : " ") + truth.key(), capture, truth, misses);
            }
            return truths.size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Truth> truths(Path file) throws IOException {
        List<Truth> truths = new ArrayList<>();
        for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
            Matcher m = LINE.matcher(line);
            if (m.matches()) {
                List<String> figures = new ArrayList<>();
                figures.add(line.trim().endsWith("X") ? "X" : "");
                for (int i = 0; i < 6; i++) {
                    figures.add(m.group(12 + i));
                }
                truths.add(new Truth(
                        m.group(7).toUpperCase(Locale.ROOT) + " " + m.group(3) + ":" + m.group(4) + " " + m.group(5)
                                + ":" + m.group(6),
                        Double.parseDouble(m.group(1)),
                        Double.parseDouble(m.group(2)),
                        Long.parseLong(m.group(9)),
                        Long.parseLong(m.group(10)),
                        figures));
            }
        }
        return truths;
    }

    private static void check(String label, CaptureBytes capture, Truth truth, List<String> misses) {
        WiresharkStream stream = new WiresharkStream(capture.firstNs());
        Map<String, Codec> codecs = new HashMap<>();
        RtpView rtp = new RtpView();
        for (CaptureBytes.Datagram datagram : capture.datagrams()) {
            String text = CaptureBytes.text(datagram);
            if (text.contains("m=") && text.contains("c=IN")) {
                learn(text, codecs);
                continue;
            }
            double at = (datagram.timeNs() - capture.firstNs()) / 1e9;
            if (!datagram.udp() || at < truth.start() - 1e-6 || at > truth.end() + 1e-6) {
                continue;
            }
            int captured = (int) datagram.payload().byteSize();
            if (rtp.wrap(datagram.payload(), 0, captured, datagram.wireLength()) == WrapStatus.OK
                    && truth.key().equals(key(datagram, rtp))) {
                ROW.packet(
                        stream,
                        datagram.timeNs(),
                        rtp.sequenceNumber(),
                        rtp.timestamp(),
                        rtp.payloadType(),
                        rtp.marker(),
                        datagram.wireLength(),
                        datagram.ipv6(),
                        codec(codecs, datagram, rtp.payloadType()));
            }
        }
        compare(label, "packets", Long.toString(truth.packets()), Long.toString(stream.packets()), misses);
        compare(label, "lost", Long.toString(truth.lost()), Long.toString(stream.lost()), misses);
        compare(label, "problems", truth.figures().getFirst(), stream.sequenceErrors() > 0 ? "X" : "", misses);
        double[] have = {
            stream.minDeltaMs(),
            stream.meanDeltaMs(),
            stream.maxDeltaMs(),
            stream.minJitterMs(),
            stream.meanJitterMs(),
            stream.maxJitterMs()
        };
        String[] names = {"min delta", "mean delta", "max delta", "min jitter", "mean jitter", "max jitter"};
        for (int i = 0; i < have.length; i++) {
            compare(label, names[i], truth.figures().get(i + 1), String.format(Locale.ROOT, "%.3f", have[i]), misses);
        }
    }

    private static void compare(String label, String figure, String want, String have, List<String> misses) {
        if (!want.equals(have)) {
            misses.add(label + " " + figure + ": want " + want + ", have " + have);
        }
    }

    private static String key(CaptureBytes.Datagram datagram, RtpView rtp) {
        return String.format(Locale.ROOT, "0X%08X %s %s", rtp.ssrc(), datagram.source(), datagram.destination());
    }

    /** Each media section binds its payload types to its address and port, as tshark binds them to a conversation. */
    private static void learn(String text, Map<String, Codec> codecs) {
        Matcher session = CONNECTION.matcher(text);
        String address = session.find() ? session.group(1) : "";
        String[] sections = text.split("\nm=", -1);
        for (int i = 1; i < sections.length; i++) {
            Matcher media = MEDIA.matcher("m=" + sections[i]);
            Matcher own = CONNECTION.matcher(sections[i]);
            String host = own.find() ? own.group(1) : address;
            Matcher map = RTPMAP.matcher(sections[i]);
            while (media.find() && map.find()) {
                do {
                    codecs.put(
                            host + ":" + media.group(1) + " " + map.group(1),
                            new Codec(map.group(2), Integer.parseInt(map.group(3))));
                } while (map.find());
            }
        }
    }

    private static @Nullable Codec codec(Map<String, Codec> codecs, CaptureBytes.Datagram datagram, int payloadType) {
        Codec codec = codecs.get(datagram.destination() + " " + payloadType);
        return codec != null ? codec : codecs.get(datagram.source() + " " + payloadType);
    }
}
