package io.offhook.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BpfProgramTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1 0 0 0 0                        | instruction 0: is the last and must return
            1 99 0 0 0                       | instruction 0: code 0x63 is not an instruction of classic BPF
            1 65542 0 0 0                    | instruction 0: code 0x10006 is not an instruction of classic BPF
            1 6 256 0 0                      | instruction 0: jt 256 is not in 0 to 255
            1 6 0 256 0                      | instruction 0: jf 256 is not in 0 to 255
            2 21 1 0 0 6 0 0 0               | instruction 0: jumps to instruction 2, which is not in 0 to 1
            2 21 0 1 0 6 0 0 0               | instruction 0: jumps to instruction 2, which is not in 0 to 1
            2 5 0 0 1 6 0 0 0                | instruction 0: jumps to instruction 2, which is not in 0 to 1
            2 5 0 0 4294967294 6 0 0 0       | instruction 0: jumps to instruction -1, which is not in 0 to 1
            2 5 0 0 2147483647 6 0 0 0       | instruction 0: jumps to instruction 2147483648, which is not in 0 to 1
            2 2 0 0 16 6 0 0 0               | instruction 0: memory word 16 is not in 0 to 15
            2 96 0 0 4294967295 6 0 0 0      | instruction 0: memory word 4294967295 is not in 0 to 15
            3 0 0 0 1 52 0 0 0 6 0 0 0       | instruction 1: divides by 0
            3 0 0 0 1 148 0 0 0 6 0 0 0      | instruction 1: divides by 0
            2 100 0 0 32 6 0 0 0             | instruction 0: shift by 32 is not in 0 to 31
            2 116 0 0 4294967295 6 0 0 0     | instruction 0: shift by 4294967295 is not in 0 to 31
            0                                | length 0 is not in 1 to 1048576 instructions
            2 6 0 0 0                        | a program of 2 instructions has four numbers each; found 4
            1 6 0 0 x                        | "x" is not a number from 0 to 4294967295
            1 6 0 0 4294967296               | "4294967296" is not a number from 0 to 4294967295
            """)
    void whatIsNoProgramIsNotMade(String decimal, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BpfListing.parse(decimal))
                .withMessage(message);
    }

    @Test
    void columnsAreOfOneLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BpfProgram.of(new int[1], new int[1], new int[2], new int[1]))
                .withMessage("the columns differ in length: code 1, jt 1, jf 2, k 1");
    }

    /** linux/bpf_common.h and bpf(4), written out. */
    @Test
    void knowsTheInstructionsOfClassicBpf() {
        TreeSet<Integer> known = new TreeSet<>();
        for (int code = 0; code < 0x1_0000; code++) {
            if (BpfOpcode.isKnown(code)) {
                known.add(code);
            }
        }
        assertThat(known)
                .containsExactly(
                        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0c, 0x14, 0x15, 0x16, 0x1c, 0x1d, 0x20, 0x24,
                        0x25, 0x28, 0x2c, 0x2d, 0x30, 0x34, 0x35, 0x3c, 0x3d, 0x40, 0x44, 0x45, 0x48, 0x4c, 0x4d, 0x50,
                        0x54, 0x5c, 0x60, 0x61, 0x64, 0x6c, 0x74, 0x7c, 0x80, 0x81, 0x84, 0x87, 0x94, 0x9c, 0xa4, 0xac,
                        0xb1);
    }

    @Test
    void isUnsignedWhereTheKernelIs() {
        BpfProgram program = BpfListing.parse("2 53 0 0 4294967295 6 0 0 262144");
        assertThat(program.k(0)).isEqualTo(-1);
        assertThat(program.length()).isEqualTo(2);
        assertThat(program).isEqualTo(BpfListing.parse("2 53 0 0 4294967295 6 0 0 262144"));
        assertThat(program).hasSameHashCodeAs(BpfListing.parse("2 53 0 0 4294967295 6 0 0 262144"));
        assertThat(program).isNotEqualTo(BpfListing.parse("2 53 0 0 4294967295 6 0 0 1"));
    }

    @Test
    void knowsLoops() {
        assertThat(BpfListing.parse("2 5 0 0 0 6 0 0 0").hasLoop()).isFalse();
        BpfProgram loop = BpfListing.parse("2 5 0 0 4294967295 6 0 0 0");
        assertThat(loop.hasLoop()).isTrue();
        assertThatIllegalStateException()
                .isThrownBy(loop::toSockFilters)
                .withMessage("the program jumps backwards, as protochain needs; the kernel accepts no loop");
    }

    @Test
    void theKernelTakes4096Instructions() {
        assertThat(nothing(4096).toSockFilters()).hasSize(4096 * 8);
        assertThatIllegalStateException()
                .isThrownBy(() -> nothing(4097).toSockFilters())
                .withMessage("the program has 4097 instructions; the kernel accepts 4096");
    }

    @Test
    void theKernelTakesNoProgramThatReadsAWordBeforeItIsWritten() {
        // ldb [0]; jeq #1 ? st M[3]; ld M[3]; ret a
        BpfProgram oneWay = BpfListing.parse("5 48 0 0 0 21 0 1 1 2 0 0 3 96 0 0 3 22 0 0 0");
        assertThatIllegalStateException()
                .isThrownBy(oneWay::toSockFilters)
                .withMessageStartingWith("instruction 3 reads memory word 3, which some path to it has not written");
        BpfProgram bothWays = BpfListing.parse("5 48 0 0 0 2 0 0 3 21 0 0 1 96 0 0 3 22 0 0 0");
        assertThat(bothWays.toSockFilters()).hasSize(40);
    }

    @Test
    void theKernelAnswersSomeLoadsAlone() {
        // ldb [vlan_tci]; and three bytes further
        assertThat(BpfListing.parse("2 48 0 0 4294963244 22 0 0 0").toSockFilters())
                .hasSize(16);
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> BpfListing.parse("2 48 0 0 4294963247 22 0 0 0").toSockFilters())
                .withMessageStartingWith("instruction 0 loads from -4049, where the kernel has no field");
    }

    /** ret #0, so many times. */
    private static BpfProgram nothing(int length) {
        int[] code = new int[length];
        Arrays.fill(code, BpfOpcode.RET);
        return BpfProgram.of(code, new int[length], new int[length], new int[length]);
    }

    @Test
    void isAnArrayOfSockFilters() {
        byte[] bytes = BpfListing.parse("4 40 0 0 12 21 0 1 2048 6 0 0 4294967295 6 0 0 0")
                .toSockFilters();
        String expected = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                ? "280000000c000000" + "1500000100080000" + "06000000ffffffff" + "0600000000000000"
                : "002800000000000c" + "0015000100000800" + "00060000ffffffff" + "0006000000000000";
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(expected);
    }

    /** A UDP socket of ours takes datagrams of which the first byte is odd: the filter sees them from the UDP header on. */
    @Test
    void theKernelRunsIt() throws Exception {
        assumeTrue(
                isAnswering("python3", "-c", "import sys; sys.exit(sys.platform != 'linux')"), "no python3 on Linux");
        // ldb [8]; jset #1; ret #65535; ret #0
        BpfProgram program = BpfListing.parse("4 48 0 0 8 69 0 1 1 6 0 0 65535 6 0 0 0");
        String script = """
                import ctypes, socket, struct, sys
                SO_ATTACH_FILTER = 26
                code = ctypes.create_string_buffer(bytes.fromhex(sys.argv[1]))
                taker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                taker.bind(('127.0.0.1', 0))
                program = struct.pack('HL', len(code.raw) // 8, ctypes.addressof(code))
                taker.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)
                taker.settimeout(0.2)
                giver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                for i in range(10): giver.sendto(bytes([i, 0, 0]), taker.getsockname())
                try:
                    while True: print(taker.recv(9)[0], end=' ')
                except TimeoutError: pass
                """;
        String hex = HexFormat.of().formatHex(program.toSockFilters());
        assertThat(outputOf("python3", "-c", script, hex).strip()).isEqualTo("1 3 5 7 9");
    }

    private static boolean isAnswering(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String outputOf(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return said;
    }
}
