package io.offhook.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each instruction, and each edge of it, as libpcap's bpf_filter has it; interpreted and compiled. Programs are written as
 * tcpdump -ddd prints them, without the count: code jt jf k.
 */
class BpfInterpreterTest {
    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close() {
        arena.close();
    }

    private long run(String instructions, String packet, int wireLength) {
        String[] lines = instructions.strip().split("\\s*,\\s*", -1);
        BpfProgram program = BpfListing.parse(lines.length + " " + String.join(" ", lines));
        byte[] bytes = new byte[packet.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(packet, i * 2, i * 2 + 2, 16);
        }
        MemorySegment segment = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 1, bytes.length);
        int interpreted = new BpfInterpreter(program).match(segment, 1, bytes.length, wireLength);
        assertThat(PacketFilter.of(program).match(segment, 1, bytes.length, wireLength))
                .isEqualTo(interpreted);
        return Integer.toUnsignedLong(interpreted);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            ret k                        | 6 0 0 7                                                      | 7
            ret a, 0 at first            | 22 0 0 0                                                     | 0
            ld word, big-endian          | 32 0 0 0, 22 0 0 0                                           | 0xf1020304
            ld word up to the end        | 32 0 0 4, 22 0 0 0                                           | 0x05060708
            ld word beyond the end       | 32 0 0 5, 6 0 0 1                                            | 0
            ld word half beyond          | 32 0 0 7, 6 0 0 1                                            | 0
            ld word at 2^32 - 1          | 32 0 0 4294967295, 6 0 0 1                                   | 0
            ld word at 2^31              | 32 0 0 2147483648, 6 0 0 1                                   | 0
            ldh                          | 40 0 0 0, 22 0 0 0                                           | 0xf102
            ldh up to the end            | 40 0 0 6, 22 0 0 0                                           | 0x0708
            ldh beyond the end           | 40 0 0 7, 6 0 0 1                                            | 0
            ldb, unsigned                | 48 0 0 0, 22 0 0 0                                           | 0xf1
            ldb up to the end            | 48 0 0 7, 22 0 0 0                                           | 8
            ldb beyond the end           | 48 0 0 8, 6 0 0 1                                            | 0
            ldb of a VLAN tag of Linux   | 48 0 0 4294963248, 6 0 0 1                                   | 0
            ld length on the wire        | 128 0 0 0, 22 0 0 0                                          | 1514
            ldx length on the wire       | 129 0 0 0, 135 0 0 0, 22 0 0 0                               | 1514
            ld constant                  | 0 0 0 4294967295, 22 0 0 0                                   | 0xffffffff
            ldx constant and txa         | 1 0 0 9, 135 0 0 0, 22 0 0 0                                 | 9
            tax                          | 0 0 0 5, 7 0 0 0, 0 0 0 1, 12 0 0 0, 22 0 0 0                | 6
            ldx 4*([0]&0xf)              | 177 0 0 0, 135 0 0 0, 22 0 0 0                               | 4
            ldx 4*([7]&0xf)              | 177 0 0 7, 135 0 0 0, 22 0 0 0                               | 32
            ldx 4*([8]&0xf), beyond      | 177 0 0 8, 6 0 0 1                                           | 0
            ld [x + 2]                   | 1 0 0 2, 64 0 0 2, 22 0 0 0                                  | 0x05060708
            ld [x + 2] beyond            | 1 0 0 3, 64 0 0 2, 6 0 0 1                                   | 0
            ldh [x + 0]                  | 1 0 0 6, 72 0 0 0, 22 0 0 0                                  | 0x0708
            ldb [x + 1]                  | 1 0 0 6, 80 0 0 1, 22 0 0 0                                  | 8
            ldb [x + 1], which is 2^32   | 1 0 0 4294967295, 80 0 0 1, 6 0 0 1                          | 0
            ldb [x + 2^32 - 4]           | 1 0 0 4, 80 0 0 4294967292, 6 0 0 1                          | 0
            ldb [x + 0], x 2^31          | 1 0 0 2147483648, 80 0 0 0, 6 0 0 1                          | 0
            st, ld M                     | 0 0 0 7, 2 0 0 15, 0 0 0 0, 96 0 0 15, 22 0 0 0              | 7
            stx, ldx M                   | 1 0 0 7, 3 0 0 3, 1 0 0 0, 97 0 0 3, 135 0 0 0, 22 0 0 0     | 7
            M is 0 at first              | 0 0 0 7, 96 0 0 9, 22 0 0 0                                  | 0
            add wraps                    | 0 0 0 4294967295, 4 0 0 3, 22 0 0 0                          | 2
            sub wraps                    | 0 0 0 1, 20 0 0 2, 22 0 0 0                                  | 0xffffffff
            mul wraps                    | 0 0 0 65537, 36 0 0 65537, 22 0 0 0                          | 0x20001
            div, unsigned                | 0 0 0 4294967295, 52 0 0 2, 22 0 0 0                         | 0x7fffffff
            div by x, unsigned           | 0 0 0 4294967295, 1 0 0 4294967294, 60 0 0 0, 22 0 0 0       | 1
            div by x of 0                | 0 0 0 8, 60 0 0 0, 6 0 0 1                                   | 0
            mod, unsigned                | 0 0 0 4294967295, 148 0 0 10, 22 0 0 0                       | 5
            mod by x                     | 0 0 0 17, 1 0 0 5, 156 0 0 0, 22 0 0 0                       | 2
            mod by x of 0                | 0 0 0 8, 156 0 0 0, 6 0 0 1                                  | 0
            and, or, xor                 | 0 0 0 12, 84 0 0 10, 68 0 0 1, 164 0 0 255, 22 0 0 0         | 0xf6
            and, or, xor x               | 1 0 0 6, 0 0 0 12, 92 0 0 0, 76 0 0 0, 172 0 0 0, 22 0 0 0   | 0
            lsh 31                       | 0 0 0 3, 100 0 0 31, 22 0 0 0                                | 0x80000000
            rsh, unsigned                | 0 0 0 4294967295, 116 0 0 28, 22 0 0 0                       | 0xf
            lsh by x                     | 0 0 0 3, 1 0 0 4, 108 0 0 0, 22 0 0 0                        | 48
            lsh by x of 32               | 0 0 0 3, 1 0 0 32, 108 0 0 0, 22 0 0 0                       | 0
            rsh by x of 32               | 0 0 0 3, 1 0 0 32, 124 0 0 0, 22 0 0 0                       | 0
            rsh by x of 2^32 - 1         | 0 0 0 3, 1 0 0 4294967295, 124 0 0 0, 22 0 0 0               | 0
            neg                          | 0 0 0 1, 132 0 0 0, 22 0 0 0                                 | 0xffffffff
            ja                           | 5 0 0 1, 6 0 0 1, 6 0 0 2                                    | 2
            jeq                          | 0 0 0 4294967295, 21 1 0 4294967295, 6 0 0 1, 6 0 0 2        | 2
            jeq x                        | 0 0 0 3, 1 0 0 3, 29 1 0 0, 6 0 0 1, 6 0 0 2                 | 2
            jgt, unsigned                | 0 0 0 4294967295, 37 1 0 1, 6 0 0 1, 6 0 0 2                 | 2
            jgt of the same              | 0 0 0 5, 37 1 0 5, 6 0 0 1, 6 0 0 2                          | 1
            jgt x, unsigned              | 0 0 0 1, 1 0 0 2147483648, 45 1 0 0, 6 0 0 1, 6 0 0 2        | 1
            jge of the same              | 0 0 0 5, 53 1 0 5, 6 0 0 1, 6 0 0 2                          | 2
            jge, unsigned                | 0 0 0 5, 53 1 0 2147483648, 6 0 0 1, 6 0 0 2                 | 1
            jge x                        | 0 0 0 4294967295, 1 0 0 9, 61 1 0 0, 6 0 0 1, 6 0 0 2        | 2
            jset                         | 0 0 0 2147483649, 69 1 0 2147483648, 6 0 0 1, 6 0 0 2        | 2
            jset of no bit               | 0 0 0 6, 69 1 0 9, 6 0 0 1, 6 0 0 2                          | 1
            jset x                       | 0 0 0 6, 1 0 0 2, 77 1 0 0, 6 0 0 1, 6 0 0 2                 | 2
            jf                           | 0 0 0 6, 21 0 1 7, 6 0 0 1, 6 0 0 2                          | 2
            a loop: a is doubled to 64   | 0 0 0 1, 100 0 0 1, 53 1 0 64, 5 0 0 4294967293, 22 0 0 0    | 64
            a loop without end           | 5 0 0 4294967295, 6 0 0 1                                    | 0
            """)
    void runsAsLibpcapDoes(String name, String instructions, String expected) {
        assertThat(run(instructions, "f102030405060708", 1514)).as(name).isEqualTo(Long.decode(expected));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,0", "2,1", "3,1"})
    void aPacketMayBeEmpty(int length, int expected) {
        assertThat(run("40 0 0 0, 6 0 0 1", "00".repeat(length), 60)).isEqualTo(expected);
    }
}
