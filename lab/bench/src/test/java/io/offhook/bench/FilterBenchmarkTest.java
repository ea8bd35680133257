package io.offhook.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.filter.BpfInterpreter;
import io.offhook.filter.BpfListing;
import io.offhook.filter.BpfOpcode;
import io.offhook.filter.BpfProgram;
import io.offhook.filter.PacketFilter;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.testkit.peers.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is compared must be the same work; and libpcap's interpreter is who says what a program means. */
class FilterBenchmarkTest {
    private static final Path CAPTURE = Path.of("../../samples/calls.pcap");
    private static final int PROGRAMS = 400;

    @TempDir
    private static Path folder;

    private static String filter = "";

    @BeforeAll
    static void build() throws Exception {
        assumeFalse(Program.isMissing("cc", "--version"), "no C compiler");
        assumeTrue(Files.exists(Path.of("/usr/include/pcap/pcap.h")), "no libpcap-dev");
        filter = folder.resolve("filter").toString();
        Program.run("cc", "-O3", "-o", filter, "src/main/c/filter.c", "-lpcap");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ip",
                "udp port 5060",
                "udp portrange 10000-20000 and net 10.0.0.0/8 and not (vlan 7 or ip6)",
                "tcp[tcpflags] & (tcp-syn|tcp-fin) != 0"
            })
    void countsTheSameInJavaAndInC(String expression) throws Exception {
        Matcher figures = Pattern.compile("(\\d+) packets, (\\d+) matched")
                .matcher(Program.run(filter, CAPTURE.toString(), "1", expression));
        assertThat(figures.find()).isTrue();
        assertThat(Long.parseLong(figures.group(1))).isEqualTo(4501);
        FilterBenchmark java = new FilterBenchmark();
        java.file = CAPTURE.toString();
        java.expression = expression;
        java.open();
        assertThat(java.compiled()).isEqualTo(Long.parseLong(figures.group(2)));
        assertThat(java.interpreted()).isEqualTo(Long.parseLong(figures.group(2)));
        java.close();
    }

    /** Programs without sense, over all frames: each result of ours is libpcap's. */
    @Test
    void programsMeanWhatLibpcapSays() throws Exception {
        List<BpfProgram> programs = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        SplittableRandom random = new SplittableRandom(1);
        while (programs.size() < PROGRAMS) {
            BpfProgram program = program(random);
            programs.add(program);
            text.append(BpfListing.decimal(program));
        }
        Path file = Files.writeString(folder.resolve("programs"), text);
        List<String> theirs = Program.run(filter, CAPTURE.toString(), "-p", file.toString())
                .lines()
                .toList();
        List<String> ours = new ArrayList<>();
        long matched = 0;
        for (BpfProgram program : programs) {
            String interpreted = sums(new BpfInterpreter(program));
            assertThat(sums(PacketFilter.of(program))).isEqualTo(interpreted);
            ours.add(interpreted);
            matched += interpreted.startsWith("0 ") ? 0 : 1;
        }
        assertThat(ours).isEqualTo(theirs);
        assertThat(matched).isGreaterThan(PROGRAMS / 4);
    }

    private static String sums(PacketFilter filter) {
        long matched = 0;
        long sum = 0;
        FrameBatch batch = new FrameBatch(4096);
        try (PacketSource source = CaptureFiles.open(CAPTURE.toString())) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    int result = filter.match(
                            batch.segmentOf(i), batch.offset(i), batch.capturedLength(i), batch.wireLength(i));
                    matched += result == 0 ? 0 : 1;
                    sum += Integer.toUnsignedLong(result);
                }
            }
        }
        return matched + " " + sum;
    }

    /** Loads, arithmetic and jumps in any order; of memory words none, which libpcap does not clear. */
    private static BpfProgram program(SplittableRandom random) {
        int[] codes = {
            0x20, 0x28, 0x30, 0x28, 0x30, 0x40, 0x48, 0x50, 0x00, 0x01, 0x80, 0xb1, 0xb1, 0x04, 0x0c, 0x14, 0x1c, 0x24,
            0x2c, 0x34, 0x3c, 0x94, 0x9c, 0x44, 0x4c, 0x54, 0x5c, 0xa4, 0xac, 0x64, 0x6c, 0x74, 0x7c, 0x84, 0x07, 0x87,
            0x05, 0x15, 0x1d, 0x25, 0x2d, 0x35, 0x3d, 0x45, 0x4d, 0x15, 0x25, 0x35, 0x45
        };
        int length = random.nextInt(3, 24);
        int[][] columns = new int[4][length];
        for (int i = 0; i < length; i++) {
            int left = length - 2 - i;
            int code = left < 0 || random.nextInt(15) == 0
                    ? 0x06 | random.nextInt(2) << 4
                    : codes[random.nextInt(codes.length)];
            int most = Math.max(0, left);
            columns[0][i] = code;
            if ((code & 0x07) == BpfOpcode.JMP && code != 0x05) {
                columns[1][i] = random.nextInt(most + 1);
                columns[2][i] = random.nextInt(most + 1);
            }
            columns[3][i] = switch (code) {
                case 0x05 -> random.nextInt(most + 1);
                case 0x64, 0x74 -> random.nextInt(32);
                case 0x20, 0x28, 0x30, 0x40, 0x48, 0x50, 0xb1 -> random.nextInt(60);
                default -> random.nextInt(4) == 0 ? random.nextInt() | 1 : random.nextInt(1, 70);
            };
        }
        return BpfProgram.of(columns[0], columns[1], columns[2], columns[3]);
    }
}
