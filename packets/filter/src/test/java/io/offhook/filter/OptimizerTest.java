package io.offhook.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OptimizerTest {
    private static final long SEED = 4_711L;

    /**
     * On packets that are long enough, as a load that the optimiser takes away may have rejected a shorter one: that is so
     * in libpcap, and the programs are the same.
     */
    @Test
    void matchesWhatTheProgramMatchedBefore() {
        RandomExpressions expressions = new RandomExpressions(SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        int compared = 0;
        int matched = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment packets = arena.allocate(1 << 17);
            for (int i = 0; i < 600; i++) {
                String expression = expressions.next();
                BpfProgram plain = plain(expression);
                if (plain == null || expression.contains("%") || expression.contains("/")) { // by 0 rejects, too
                    continue;
                }
                BpfInterpreter before = new BpfInterpreter(plain);
                BpfInterpreter after = new BpfInterpreter(optimized(expression));
                SamplePackets samples = new SamplePackets(SEED + i);
                byte[] start = new byte[128];
                for (int j = 0; j < 40; j++) {
                    samples.fill(start);
                    MemorySegment.copy(start, 0, packets, ValueLayout.JAVA_BYTE, 0, start.length);
                    int length = random.nextInt(60, 2000);
                    int want = before.match(packets, 0, (int) packets.byteSize(), length);
                    int have = after.match(packets, 0, (int) packets.byteSize(), length);
                    assertThat(have).as("%s, seed %d", expression, SEED).isEqualTo(want);
                    compared++;
                    matched += want == 0 ? 0 : 1;
                }
            }
        }
        assertThat(compared).isGreaterThan(8_000);
        assertThat(matched).isBetween(compared / 20, compared - compared / 20);
    }

    /** In a chain that is entered in its middle too, a test that moves up would no longer be made on that way. */
    @Test
    void bringsUpNoTestThatAnotherWayStillNeeds() {
        String expression = "(ether[0]=1 or ether[1]=1) and (ether[0]=2 or ether[1]=2) or (ether[0]=3 or ether[1]=3)"
                + " or (ether[0]=1 or ether[1]=1)";
        BpfInterpreter plain = new BpfInterpreter(FilterCompiler.compileUnoptimized(expression, 1, 100));
        BpfInterpreter optimized = new BpfInterpreter(FilterCompiler.compile(expression, 1, 100));
        try (Arena arena = Arena.ofConfined()) {
            for (int first = 0; first < 5; first++) {
                for (int second = 0; second < 5; second++) {
                    MemorySegment packet = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) first, (byte) second);
                    boolean isWanted = first == 1 || first == 3 || second == 1 || second == 3;
                    assertThat(plain.match(packet, 0, 2, 2) != 0).isEqualTo(isWanted);
                    assertThat(optimized.match(packet, 0, 2, 2) != 0).isEqualTo(isWanted);
                }
            }
        }
    }

    private static @Nullable BpfProgram plain(String expression) {
        try {
            return FilterCompiler.compileUnoptimized(expression, 1, 100);
        } catch (FilterException _) {
            return null;
        }
    }

    private static BpfProgram optimized(String expression) {
        try {
            return FilterCompiler.compile(expression, 1, 100);
        } catch (FilterException e) {
            if (e.isRejectsAll()) {
                return BpfProgram.of(new int[] {BpfOpcode.RET}, new int[1], new int[1], new int[1]);
            }
            // only the optimiser sees that it divides by 0 or shifts too far, and then rejects, as the program does not
            return FilterCompiler.compileUnoptimized(expression, 1, 100);
        }
    }

    @Test
    void goesFurtherThanAJumpReaches() {
        StringBuilder expression = new StringBuilder("port 1");
        for (int port = 2; port < 100; port++) {
            expression.append(" or ").append(port);
        }
        BpfProgram program = FilterCompiler.compile(expression.toString(), 1, 100);
        assertThat(program.length()).isBetween(300, BpfProgram.MAX_KERNEL_LENGTH);
        assertThat(countLongJumps(program)).isPositive();
        assertThat(countLongJumps(FilterCompiler.compileUnoptimized(expression.toString(), 1, 100)))
                .isPositive();
        BpfInterpreter filter = new BpfInterpreter(program);
        try (Arena arena = Arena.ofConfined()) {
            for (int port : new int[] {1, 2, 50, 99, 100}) {
                byte[] udp = new byte[60];
                udp[12] = 8;
                udp[14] = 0x45;
                udp[23] = 17;
                udp[36] = (byte) (port >> 8);
                udp[37] = (byte) port;
                MemorySegment packet = arena.allocateFrom(ValueLayout.JAVA_BYTE, udp);
                assertThat(filter.match(packet, 0, 60, 60)).isEqualTo(port < 100 ? 100 : 0);
            }
        }
    }

    private static long countLongJumps(BpfProgram program) {
        long count = 0;
        for (int i = 0; i < program.length(); i++) {
            count += program.code(i) == (BpfOpcode.JMP | BpfOpcode.JA) && program.k(i) > 255 ? 1 : 0;
        }
        return count;
    }

    @Test
    void leavesVeryLargeExpressionsAsTheyAre() {
        String expression = "host 10.0.0.1" + " or 10.0.0.2".repeat(2000);
        BpfProgram program = FilterCompiler.compile(expression, 1, 100);
        assertThat(program).isEqualTo(FilterCompiler.compileUnoptimized(expression, 1, 100));
    }
}
