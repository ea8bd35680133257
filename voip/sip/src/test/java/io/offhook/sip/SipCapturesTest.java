package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.offhook.packet.WrapStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** What is read of public captures against what tshark read of them; skipped where the captures are not there. */
class SipCapturesTest {
    private static final Path CAPTURES = captures();
    /**
     * One whose bytes are damaged at random: of values with a zero byte tshark shows what stands before it, so that only
     * method and status are compared.
     */
    private static final String FUZZED = "ndpi/fuzz-2006-06-26-2594.pcap";

    @Test
    void messagesAgreeWithTshark() throws IOException {
        assumeThat(CAPTURES).as("shared captures").isDirectory();
        List<Path> truths;
        try (Stream<Path> files = Files.list(CAPTURES.resolve("truth"))) {
            truths = files.filter(file -> file.toString().contains(".sip.tsv"))
                    .sorted()
                    .toList();
        }
        int messages = 0;
        List<String> differences = new ArrayList<>();
        for (Path truth : truths) {
            String name = truth.getFileName()
                    .toString()
                    .replaceFirst("\\.sip\\.tsv(\\.gz)?$", "")
                    .replaceFirst("__", "/");
            messages += compare(name, truth, differences);
        }

        assertThat(differences).isEmpty();
        assertThat(messages).isGreaterThan(9000);
    }

    private static int compare(String name, Path truthFile, List<String> differences) throws IOException {
        Map<Long, String> truth = truth(truthFile);
        Map<Long, String> ours = new TreeMap<>();
        Set<Long> readable = new HashSet<>();
        read(CAPTURES.resolve(name), ours, readable);
        int compared = 0;
        for (Map.Entry<Long, String> message : truth.entrySet()) {
            if (!readable.contains(message.getKey())) {
                continue;
            }
            compared++;
            String own = ours.getOrDefault(message.getKey(), "nothing");
            boolean same =
                    name.equals(FUZZED) ? kind(own).equals(kind(message.getValue())) : own.equals(message.getValue());
            if (!same) {
                differences.add(name + " " + message.getKey() + ": tshark " + message.getValue() + ", we " + own);
            }
        }
        ours.forEach((frame, message) -> {
            if (!truth.containsKey(frame)) {
                differences.add(name + " " + frame + ": tshark nothing, we " + message);
            }
        });
        return compared;
    }

    /** The messages of each frame, as {@link #describe} writes them, and the frames that this test can look into. */
    private static void read(Path file, Map<Long, String> messages, Set<Long> readable) throws IOException {
        SipText text = new SipText();
        SipMessageView view = new SipMessageView();
        SipBufferPool pool = new SipBufferPool(8 << 20);
        SipStreamCounters counters = new SipStreamCounters();
        Map<String, SipStream> streams = new HashMap<>();
        Map<String, Long> expected = new HashMap<>();
        CapturePayloads.read(file, (frame, tcp, flow, sequence, payload) -> {
            readable.add(frame);
            MemorySegment bytes = copy(payload);
            int length = (int) bytes.byteSize();
            if (!tcp) {
                if (SipRecognizer.isMessageStart(bytes, 0, length, text)) {
                    assertThat(view.wrap(bytes, 0, length)).isNotEqualTo(WrapStatus.MALFORMED);
                    assertThat(SipMessageView.callIdHash(text.octets(), 0, length))
                            .isEqualTo(view.callIdHash());
                    messages.put(frame, describe(view));
                    SipAnyBytesTest.readEverything(view);
                }
                return;
            }
            if (length == 0 || expected.getOrDefault(flow, sequence) != sequence) {
                return;
            }
            expected.put(flow, sequence + length & 0xffff_ffffL);
            streams.computeIfAbsent(flow, key -> new SipStream(pool, counters))
                    .data(bytes, 0, length, 0, frame, (octets, offset, size, time, number) -> {
                        view.wrap(octets, offset, size);
                        messages.merge(number, describe(view), (first, next) -> first + " & " + next);
                    });
        });
    }

    private static String describe(SipMessageView view) {
        String cseq = view.text(SipHeader.CSEQ);
        return (view.isRequest() ? view.methodText() : Integer.toString(view.statusCode())) + "|" + view.callId() + "|"
                + cseq;
    }

    /** Method or status code. */
    private static String kind(String message) {
        return message.substring(0, message.indexOf('|') + 1);
    }

    private static Map<Long, String> truth(Path file) throws IOException {
        Map<Long, String> truth = new TreeMap<>();
        try (InputStream in = Files.newInputStream(file);
                BufferedReader lines = new BufferedReader(new InputStreamReader(
                        file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in, StandardCharsets.UTF_8))) {
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] column = line.split("\t", -1);
                truth.put(Long.parseLong(column[0]), column[3] + column[4] + "|" + column[5] + "|" + column[6]);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return truth;
    }

    private static MemorySegment copy(ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        return Native.bytes(bytes);
    }

    private static Path captures() {
        for (String path : new String[] {"../../../shared/captures", "../shared/captures"}) {
            Path captures = Path.of(path).toAbsolutePath().normalize();
            if (Files.isDirectory(captures)) {
                return captures;
            }
        }
        return Path.of("../../../shared/captures");
    }
}
