package io.offhook.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds what is compiled, and how it runs, against the libpcap that is installed, on random expressions, programs and
 * packets; skipped where there is none of version 1.10 with its header and a C compiler.
 *
 * <p>{@code -Doffhook.filter.expressions=200000 -Doffhook.filter.seed=5} makes a campaign of it.
 */
class LibpcapTest {
    private static final long SEED = Long.getLong("offhook.filter.seed", 20_261_121L);
    private static final int EXPRESSIONS = Integer.getInteger("offhook.filter.expressions", 6_000);
    private static final int MAX_LINK_TYPE = 290;
    /** Those of which there are captures, more often than others. */
    private static final int[] COMMON_LINK_TYPES = {
        0, 6, 8, 9, 10, 50, 101, 104, 105, 107, 108, 113, 117, 119, 123, 127, 129, 140, 144, 149, 163, 165, 192, 226,
        228, 229, 239, 276
    };

    @TempDir
    static Path folder;

    private static int linkType(SplittableRandom random) {
        int kind = random.nextInt(100);
        if (kind < 40) {
            return 1;
        }
        return kind < 85 ? COMMON_LINK_TYPES[random.nextInt(COMMON_LINK_TYPES.length)] : random.nextInt(MAX_LINK_TYPE);
    }

    @Test
    void makesTheProgramsThatLibpcapMakesAndRejectsWhatItRejects() throws Exception {
        RandomExpressions expressions = new RandomExpressions(SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> differences = new ArrayList<>();
        int programs = 0;
        try (Libpcap libpcap = Libpcap.start(folder)) {
            for (int i = 0; i < EXPRESSIONS; i++) {
                String expression = expressions.next();
                int linkType = linkType(random);
                boolean isOptimized = random.nextInt(5) > 0;
                String theirs = libpcap.compile(expression, linkType, isOptimized);
                String ours = ours(expression, linkType, isOptimized);
                boolean isRejected = theirs.startsWith("error ");
                programs += isRejected ? 0 : 1;
                if (isRejected ? !ours.startsWith("error ") : !ours.equals(theirs)) {
                    differences.add("link type %d, %s: %s\n  theirs %s\n  ours   %s"
                            .formatted(linkType, isOptimized ? "optimised" : "plain", expression, theirs, ours));
                }
            }
        }
        assertThat(differences).as("seed %d", SEED).isEmpty();
        assertThat(programs).isBetween(EXPRESSIONS / 4, EXPRESSIONS - EXPRESSIONS / 10);
    }

    private static String ours(String expression, int linkType, boolean isOptimized) {
        int snapLength = FilterCompiler.DEFAULT_SNAP_LENGTH;
        try {
            return Libpcap.text(
                    isOptimized
                            ? FilterCompiler.compile(expression, linkType, snapLength)
                            : FilterCompiler.compileUnoptimized(expression, linkType, snapLength));
        } catch (FilterException e) {
            return "error " + e.reason();
        }
    }

    /** Programs that read no memory word before they have written it: libpcap's words hold what was there before. */
    @Test
    void theInterpreterReturnsWhatLibpcapReturns() throws Exception {
        int wanted = 0;
        try (Libpcap libpcap = Libpcap.start(folder);
                Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(128);
            for (int i = 0; i < EXPRESSIONS; i++) {
                RandomPrograms random = new RandomPrograms(SEED + i);
                BpfProgram program = writesMemoryFirst(random.program(30, false));
                byte[] packet = random.packet();
                int wireLength = random.wireLength(packet.length);
                MemorySegment.copy(packet, 0, segment, ValueLayout.JAVA_BYTE, 0, packet.length);
                int theirs = libpcap.run(program, packet, wireLength);
                assertThat(new BpfInterpreter(program).match(segment, 0, packet.length, wireLength))
                        .as("seed %d, %d bytes\n%s", SEED + i, packet.length, BpfListing.assembly(program))
                        .isEqualTo(theirs);
                wanted += theirs == 0 ? 0 : 1;
            }
        }
        assertThat(wanted).isGreaterThan(EXPRESSIONS / 20);
    }

    private static BpfProgram writesMemoryFirst(BpfProgram program) {
        int[][] columns = new int[4][program.length() + BpfOpcode.MEMORY_WORDS];
        for (int i = 0; i < columns[0].length; i++) {
            int from = i - BpfOpcode.MEMORY_WORDS;
            columns[0][i] = from < 0 ? BpfOpcode.ST : program.code(from);
            columns[1][i] = from < 0 ? 0 : program.jt(from);
            columns[2][i] = from < 0 ? 0 : program.jf(from);
            columns[3][i] = from < 0 ? i : program.k(from);
        }
        return BpfProgram.of(columns[0], columns[1], columns[2], columns[3]);
    }

    /** The kernel sees a datagram of a local socket as it sees a frame: from its first byte on. */
    @Test
    void theKernelTakesProgramsAndMatchesWhatTheyMatch() throws Exception {
        RandomExpressions expressions = new RandomExpressions(SEED);
        int attached = 0;
        int matched = 0;
        int compared = 0;
        try (Libpcap libpcap = Libpcap.start(folder);
                Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(128);
            for (int i = 0; i < EXPRESSIONS / 4; i++) {
                BpfProgram program = programForKernel(expressions.next());
                if (program == null) {
                    continue;
                }
                assertThat(libpcap.attach(program))
                        .as(BpfListing.assembly(program))
                        .isEqualTo("ok");
                attached++;
                BpfInterpreter filter = new BpfInterpreter(program);
                SamplePackets packets = new SamplePackets(SEED + i);
                for (int j = 0; j < 8; j++) {
                    byte[] packet = packets.next();
                    MemorySegment.copy(packet, 0, segment, ValueLayout.JAVA_BYTE, 0, packet.length);
                    int ours = filter.match(segment, 0, packet.length, packet.length);
                    assertThat(libpcap.send(program, packet))
                            .as("seed %d\n%s", SEED, BpfListing.assembly(program))
                            .isEqualTo(ours == 0 ? 0 : packet.length);
                    compared++;
                    matched += ours == 0 ? 0 : 1;
                }
            }
        }
        assertThat(attached).isGreaterThan(EXPRESSIONS / 20);
        assertThat(matched).isBetween(compared / 50, compared * 9 / 10);
    }

    @Test
    void theKernelTakesWhatIsSaidToBeTaken() throws Exception {
        int taken = 0;
        int programs = EXPRESSIONS / 2;
        try (Libpcap libpcap = Libpcap.start(folder)) {
            for (int i = 0; i < programs; i++) {
                BpfProgram program = new RandomPrograms(SEED + i).program(12, i % 4 == 0);
                boolean isTaken = isForKernel(program);
                assertThat(libpcap.attach(program))
                        .as("seed %d\n%s", SEED + i, BpfListing.assembly(program))
                        .isEqualTo(isTaken ? "ok" : "error Invalid argument");
                taken += isTaken ? 1 : 0;
            }
        }
        assertThat(taken).isBetween(programs / 10, programs * 9 / 10);
    }

    private static boolean isForKernel(BpfProgram program) {
        try {
            return program.toSockFilters().length > 0;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** For Ethernet; null where it is none, or kernels do not take it, or do what it does in another way. */
    private static @Nullable BpfProgram programForKernel(String expression) {
        BpfProgram program;
        try {
            program = FilterCompiler.compile(expression, 1, FilterCompiler.DEFAULT_SNAP_LENGTH);
        } catch (FilterException e) {
            return null;
        }
        if (!isForKernel(program)) {
            return null;
        }
        for (int i = 0; i < program.length(); i++) {
            int code = program.code(i);
            boolean isShiftByX = BpfOpcode.classOf(code) == BpfOpcode.ALU
                    && BpfOpcode.isOperandX(code)
                    && (BpfOpcode.operationOf(code) == BpfOpcode.LSH || BpfOpcode.operationOf(code) == BpfOpcode.RSH);
            // bits are counted modulo 32; and offsets below 0 are questions to the kernel
            if (isShiftByX || BpfOpcode.isPacketLoad(code) && program.k(i) < 0) {
                return null;
            }
        }
        return program;
    }
}
