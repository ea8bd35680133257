package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureFormat;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The captures beside the project, held against what tshark and capinfos say of them. Skipped where they are not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedCapturesTest {
    private static final Path CAPTURES = SharedCaptures.FOLDER;

    /** Differences on purpose, each looked at in the bytes. */
    private static final List<String> ON_PURPOSE = List.of(
            // its first packet is in a simple packet block, which has no time: 0 here, left out by tshark
            "pcapng-suite/test100-be.pcapng: first want 1340954905.298858000, have 0.000000000",
            "pcapng-suite/test100-le.pcapng: first want 1340954905.298858000, have 0.000000000",
            // a time of 2^64 - 505274164 microseconds, in the year 586523
            "pcapplusplus/PcapExamples__pcapng-example.pcapng: "
                    + "last want 18446744073204.277451000, have 4611686018.427387903",
            // fractions of 1159821166 and 2147483648 microseconds, which tshark multiplies by 1000 in 32 bits
            "tcpdump/atm-oam-loopback-print-overrun.pcap: "
                    + "first want 1544488577.179996080, have 1544489736.821166000",
            "tcpdump/atm-oam-loopback-print-overrun.pcap: last want 1544488577.179996080, have 1544489736.821166000",
            "tcpdump/timestamp_invalid_micro.pcap: last want 1418145370.000000000, have 1418147517.483648000");

    private final List<Truth> truths = new ArrayList<>();

    /** What truth.tsv says of a capture; a note tells why tshark stopped early. */
    private record Truth(String path, String packets, String firstAt, String lastAt, String format, String note) {
        static Truth of(String line, List<String> columns) {
            String[] values = line.split("\t", -1);
            return new Truth(
                    values[columns.indexOf("path")],
                    values[columns.indexOf("packets")],
                    values[columns.indexOf("first_ts")],
                    values[columns.indexOf("last_ts")],
                    values[columns.indexOf("file_type")],
                    values[columns.indexOf("note")]);
        }
    }

    @BeforeAll
    void readTruth() throws IOException {
        assumeTrue(Files.exists(CAPTURES.resolve("truth.tsv")), "no captures beside the project");
        List<String> lines = Files.readAllLines(CAPTURES.resolve("truth.tsv"));
        List<String> columns = Arrays.asList(lines.getFirst().split("\t", -1));
        lines.subList(1, lines.size()).forEach(line -> truths.add(Truth.of(line, columns)));
    }

    @Test
    void countsThePacketsOfEveryCapture() {
        List<String> differences = new ArrayList<>();
        FrameBatch batch = new FrameBatch(1000);
        for (Truth truth : truths) {
            String path = truth.path();
            try (CaptureFileSource source =
                    CaptureFiles.open(CAPTURES.resolve(path).toString())) {
                long packets = 0;
                String first = "";
                String last = "";
                while (source.next(batch)) {
                    first = packets == 0 ? seconds(batch.timestampNs(0)) : first;
                    last = seconds(batch.timestampNs(batch.count() - 1));
                    packets += batch.count();
                }
                CaptureFile file = source.files().getFirst();
                assertThat(file.packets()).as(path).isEqualTo(packets);
                if (!truth.note().isEmpty()) {
                    continue;
                }
                compare(differences, path, "packets", truth.packets(), String.valueOf(packets));
                compare(differences, path, "first", truth.firstAt(), first);
                compare(differences, path, "last", truth.lastAt(), last);
                compare(differences, path, "format", truth.format(), String.valueOf(label(file)));
                compare(differences, path, "faults", "[]", source.faults().toString());
            }
        }
        assertThat(differences).containsExactlyInAnyOrderElementsOf(ON_PURPOSE);
        assertThat(truths).hasSizeGreaterThan(1400);
    }

    private static String label(CaptureFile file) {
        CaptureFormat format = file.format();
        return format == null ? "?" : format.label();
    }

    private static void compare(List<String> differences, String path, String what, String want, String have) {
        // tshark gives no time to packets of simple packet blocks
        if (!want.isEmpty() && !want.equals(have)) {
            differences.add(path + ": " + what + " want " + want + ", have " + have);
        }
    }

    private static String seconds(long ns) {
        return BigDecimal.valueOf(ns, 9).toPlainString();
    }
}
