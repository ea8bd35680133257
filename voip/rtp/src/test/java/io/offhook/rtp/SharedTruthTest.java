package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.WrapStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link RtpStream} against captures whose content is known. Needs the shared folder. */
class SharedTruthTest {
    private static final OneRow ROW = new OneRow();

    private static final Path SHARED = Path.of("../../../shared");
    private static final Pattern STREAM =
            Pattern.compile("\"ssrc\": \"(\\w+)\",\\s+\"src\": \"([^\"]+)\",\\s+\"dst\": \"([^\"]+)\","
                    + "\\s+\"codec\": \"(\\w+)\",\\s+\"pt\": (\\d+),\\s+\"captured\": (\\d+),\\s+\"expected\": (\\d+),"
                    + "\\s+\"lost\": (\\d+),\\s+\"duplicates\": (\\d+)");

    private static Map<String, RtpStream> streams(Path file) throws IOException {
        Map<String, RtpStream> streams = new HashMap<>();
        RtpView rtp = new RtpView();
        for (CaptureBytes.Datagram datagram : CaptureBytes.read(file).datagrams()) {
            int length = (int) datagram.payload().byteSize();
            if (!datagram.udp()
                    || !RtpView.isPlausible(datagram.payload(), 0, length, datagram.wireLength())
                    || rtp.wrap(datagram.payload(), 0, length, datagram.wireLength()) != WrapStatus.OK) {
                continue;
            }
            String key =
                    String.format(Locale.ROOT, "0x%08X %s %s", rtp.ssrc(), datagram.source(), datagram.destination());
            RtpStream stream = streams.computeIfAbsent(key, k -> new RtpStream());
            ROW.packet(stream, datagram.timeNs(), rtp, datagram.ipIdentification());
        }
        return streams;
    }

    @ParameterizedTest
    @CsvSource({"1, 0.02, 0.01, 0.01, 0.5", "2, 0.05, 0, 0.05, 0", "3, 0, 0.05, 0, 1"})
    void countsWhatTheGeneratorWrote(
            int seed, String loss, String duplicates, String reordered, String ipv6, @TempDir Path folder)
            throws IOException, InterruptedException {
        Path generator = SHARED.resolve("tools/voipgen.py");
        Assumptions.assumeTrue(Files.isRegularFile(generator), "no ../shared/tools");
        Path capture = folder.resolve("calls.pcap");
        Path truth = folder.resolve("truth.json");
        List<String> command = List.of(
                "python3",
                generator.toString(),
                capture.toString(),
                truth.toString(),
                "--calls",
                "15",
                "--seconds",
                "12",
                "--seed",
                Integer.toString(seed),
                "--loss",
                loss,
                "--dup",
                duplicates,
                "--reorder",
                reordered,
                "--ipv6",
                ipv6,
                "--vlan",
                "0.3");
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            Assumptions.abort("no python3");
            return;
        }
        assertThat(process.waitFor()).isZero();
        Map<String, RtpStream> streams = streams(capture);
        List<String> misses = new ArrayList<>();
        int compared = 0;
        Matcher m = STREAM.matcher(Files.readString(truth));
        while (m.find()) {
            String key = m.group(1) + " " + bracketless(m.group(2)) + " " + bracketless(m.group(3));
            RtpStream stream = streams.get(key);
            String want = m.group(6) + " packets, " + m.group(7) + " expected, " + m.group(8) + " lost, " + m.group(9)
                    + " duplicates";
            String have = stream == null
                    ? "nothing"
                    : stream.packets() + " packets, " + stream.expected() + " expected, " + stream.lost() + " lost, "
                            + stream.duplicates() + " duplicates";
            if (!want.equals(have)) {
                misses.add(key + ": want " + want + ", have " + have);
            }
            if (stream != null && Integer.parseInt(m.group(5)) < PayloadType.FIRST_DYNAMIC) {
                assertThat(stream.isJitterKnown()).isTrue();
                assertThat(stream.meanJitterMs()).isBetween(0.5, 10.0);
            }
            compared++;
        }
        assertThat(misses).isEmpty();
        assertThat(compared).isGreaterThan(10).isEqualTo(streams.size());
    }

    private static String bracketless(String endpoint) {
        return endpoint.replace("[", "").replace("]", "");
    }

    @ParameterizedTest
    @CsvSource({
        "dtmf_2833_0.pcap, 0",
        "dtmf_2833_1.pcap, 1",
        "dtmf_2833_2.pcap, 2",
        "dtmf_2833_3.pcap, 3",
        "dtmf_2833_4.pcap, 4",
        "dtmf_2833_5.pcap, 5",
        "dtmf_2833_star.pcap, *"
    })
    void readsTheKeysThatSippPlays(String name, String key) throws IOException {
        Path file = SHARED.resolve("captures/sipp/" + name);
        Assumptions.assumeTrue(Files.isRegularFile(file), "no ../shared/captures");
        List<String> digits = new ArrayList<>();
        for (RtpStream stream : streams(file).values()) {
            for (PayloadCount payload : stream.payloads()) {
                if (PayloadType.isDynamic(payload.payloadType())) {
                    stream.codec(payload.payloadType(), new Codec("telephone-event", 8000));
                }
            }
            digits.add(stream.digits());
        }
        assertThat(digits).containsExactly(key);
    }

    @Test
    void readsTheKeysOfARealCall() throws IOException {
        Path file = SHARED.resolve("captures/media-core/dtmf_rfc2833_4_digits_slow.pcap");
        Assumptions.assumeTrue(Files.isRegularFile(file), "no ../shared/captures");
        List<String> digits = new ArrayList<>();
        for (RtpStream stream : streams(file).values()) {
            stream.codec(101, new Codec("telephone-event", 8000));
            if (!stream.digits().isEmpty()) {
                digits.add(stream.digits());
            }
        }
        assertThat(digits).containsExactly("1234");
    }
}
