package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.A;
import static io.offhook.filter.BpfOpcode.ABS;
import static io.offhook.filter.BpfOpcode.ADD;
import static io.offhook.filter.BpfOpcode.ALU;
import static io.offhook.filter.BpfOpcode.B;
import static io.offhook.filter.BpfOpcode.JEQ;
import static io.offhook.filter.BpfOpcode.JMP;
import static io.offhook.filter.BpfOpcode.K;
import static io.offhook.filter.BpfOpcode.LD;
import static io.offhook.filter.BpfOpcode.RET;
import static io.offhook.filter.BpfOpcode.ST;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiler is held against the interpreter. */
class BpfCompilerTest {
    private static final int PACKETS = 40;

    /** The packet alone, at the end of its segment: a read beyond it cannot go unseen. */
    private record Packet(MemorySegment segment, long offset, int capturedLength, int wireLength) {
        static Packet of(byte[] bytes, int wireLength, Arena arena) {
            MemorySegment segment = arena.allocate(bytes.length + 3L);
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 3, bytes.length);
            return new Packet(segment, 3, bytes.length, wireLength);
        }

        int match(PacketFilter filter) {
            return filter.match(segment, offset, capturedLength, wireLength);
        }
    }

    private static List<Packet> packets(RandomPrograms random, Arena arena) {
        List<Packet> packets = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            byte[] bytes = random.packet();
            packets.add(Packet.of(bytes, random.wireLength(bytes.length), arena));
        }
        return packets;
    }

    private static PacketFilter compiled(BpfProgram program) {
        return BpfCompiler.define(classFile(program));
    }

    private static byte[] classFile(BpfProgram program) {
        byte[] classFile = BpfCompiler.classFile(program);
        if (classFile == null) {
            throw new AssertionError("left to the interpreter: " + program.length() + " instructions");
        }
        return classFile;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 12, 40, 200})
    void saysWhatTheInterpreterSays(int maxLength) {
        int wanted = 0;
        for (long seed = 1; seed <= 500; seed++) {
            wanted += compare(seed, maxLength, false);
        }
        // of programs that reject all, a comparison would say little
        assertThat(wanted).isGreaterThan(500 * PACKETS / 20);
    }

    @Test
    void saysWhatTheInterpreterSaysOfLoops() {
        int wanted = 0;
        for (long seed = 1; seed <= 150; seed++) {
            wanted += compare(seed, 20, true);
        }
        assertThat(wanted).isPositive();
    }

    private static int compare(long seed, int maxLength, boolean withLoops) {
        RandomPrograms random = new RandomPrograms(seed);
        BpfProgram program = random.program(maxLength, withLoops);
        PacketFilter interpreted = new BpfInterpreter(program);
        PacketFilter compiled = compiled(program);
        int wanted = 0;
        try (Arena arena = Arena.ofConfined()) {
            for (Packet packet : packets(random, arena)) {
                int expected = packet.match(interpreted);
                assertThat(packet.match(compiled))
                        .as("seed %d, %d bytes\n%s", seed, packet.capturedLength(), BpfListing.assembly(program))
                        .isEqualTo(expected);
                wanted += expected == 0 ? 0 : 1;
            }
        }
        return wanted;
    }

    /** Whatever the size of the parts, down to one instruction each. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 17})
    void splitsProgramsAnywhere(int partLength) {
        for (long seed = 1; seed <= 150; seed++) {
            RandomPrograms random = new RandomPrograms(seed);
            BpfProgram program = random.program(60, false);
            byte[] classFile = new BpfBytecode(program, new BpfBounds(program), partLength).classFile();
            PacketFilter split = BpfCompiler.define(classFile);
            PacketFilter interpreted = new BpfInterpreter(program);
            try (Arena arena = Arena.ofConfined()) {
                for (Packet packet : packets(random, arena)) {
                    assertThat(packet.match(split))
                            .as("seed %d\n%s", seed, BpfListing.assembly(program))
                            .isEqualTo(packet.match(interpreted));
                }
            }
        }
    }

    /** Of 40 bytes in turn, wherever one is i % 7, i + 1 is added to a memory word; in the end that is returned. */
    private static BpfProgram steps(int rounds, int word) {
        int length = rounds * 5 + 2;
        int[] code = new int[length];
        int[] jf = new int[length];
        int[] k = new int[length];
        for (int i = 0; i < rounds; i++) {
            int at = i * 5;
            code[at] = LD | B | ABS;
            k[at] = i % 40;
            code[at + 1] = JMP | JEQ | K;
            k[at + 1] = i % 7;
            jf[at + 1] = 3;
            code[at + 2] = LD | BpfOpcode.MEM;
            code[at + 3] = ALU | ADD | K;
            k[at + 3] = i + 1;
            code[at + 4] = ST;
            k[at + 2] = word;
            k[at + 4] = word;
        }
        code[length - 2] = LD | BpfOpcode.MEM;
        k[length - 2] = word;
        code[length - 1] = RET | A;
        return BpfProgram.of(code, new int[length], jf, k);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 60, 300, 3_000})
    void splitsLongProgramsIntoMethodsThatHotSpotCompiles(int rounds) {
        BpfProgram program = steps(rounds, 15);
        assertThat(BpfCompiler.largestMethod(classFile(program))).isLessThanOrEqualTo(BpfCompiler.MAX_METHOD_BYTES);
        PacketFilter filter = compiled(program);
        PacketFilter interpreted = new BpfInterpreter(program);
        RandomPrograms random = new RandomPrograms(rounds);
        try (Arena arena = Arena.ofConfined()) {
            for (Packet packet : packets(random, arena)) {
                assertThat(packet.match(filter)).isEqualTo(packet.match(interpreted));
            }
            Packet zeros = Packet.of(new byte[40], 40, arena);
            assertThat(zeros.match(filter)).isPositive().isEqualTo(zeros.match(interpreted));
        }
    }

    @Test
    void leavesTheLargestToTheInterpreter() {
        BpfProgram program = steps(BpfCompiler.MAX_LENGTH / 5 + 1, 0);
        assertThat(BpfCompiler.compile(program)).isNull();
        assertThat(PacketFilter.of(program)).isInstanceOf(BpfInterpreter.class);
        try (Arena arena = Arena.ofConfined()) {
            assertThat(Packet.of(new byte[40], 40, arena).match(PacketFilter.of(program)))
                    .isPositive();
        }
    }

    @Test
    void leavesALoopThatFitsIntoNoMethodToTheInterpreter() {
        int length = 1_002;
        int[] code = new int[length];
        int[] k = new int[length];
        code[length - 2] = JMP | BpfOpcode.JA;
        k[length - 2] = -(length - 1);
        code[length - 1] = RET | K;
        BpfProgram program = BpfProgram.of(code, new int[length], new int[length], k);
        assertThat(program.hasLoop()).isTrue();
        assertThat(PacketFilter.of(program)).isInstanceOf(BpfInterpreter.class);
    }

    @Test
    void asksOnceForAllBytesThatAWayNeeds() {
        // ldb [0]; ldb [9]; ldb [4]; ret #1: ten bytes, or nothing
        BpfProgram program = BpfListing.parse("4 48 0 0 0 48 0 0 9 48 0 0 4 6 0 0 1");
        BpfBounds bounds = new BpfBounds(program);
        assertThat(bounds.toCheck(0)).isEqualTo(10);
        assertThat(bounds.toCheck(1)).isZero();
        assertThat(bounds.toCheck(2)).isZero();
    }

    @Test
    void asksForNoMoreThanTheShortestWayNeeds() {
        // ldb [0]; jeq #1 ? ret #1 : ldb [9]; ret #1
        BpfProgram program = BpfListing.parse("5 48 0 0 0 21 0 1 1 6 0 0 1 48 0 0 9 6 0 0 1");
        BpfBounds bounds = new BpfBounds(program);
        assertThat(bounds.toCheck(0)).isEqualTo(1);
        assertThat(bounds.toCheck(3)).isEqualTo(10);
        // one way ends with 0: what the other needs is asked for at once
        BpfBounds oneWay = new BpfBounds(BpfListing.parse("5 48 0 0 0 21 0 1 1 6 0 0 0 48 0 0 9 6 0 0 1"));
        assertThat(oneWay.toCheck(0)).isEqualTo(10);
        assertThat(oneWay.isHopeless(2)).isTrue();
    }

    @Test
    void matchesWithoutAllocation() {
        RandomPrograms random = new RandomPrograms(7);
        List<PacketFilter> filters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            BpfProgram program = random.program(40, false);
            filters.add(compiled(program));
            filters.add(new BpfInterpreter(program));
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        try (Arena arena = Arena.ofConfined()) {
            List<Packet> packets = packets(random, arena);
            long sum = 0;
            for (int round = 0; round < 500; round++) {
                sum += all(filters, packets);
            }
            long least = Long.MAX_VALUE;
            for (int attempt = 0; attempt < 5; attempt++) {
                long before = threads.getThreadAllocatedBytes(thread);
                for (int round = 0; round < 100; round++) {
                    sum += all(filters, packets);
                }
                least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
            }
            assertThat(sum).isNotZero();
            // asking for the figure may itself allocate a little; 160,000 runs may not add to it
            assertThat(least).isLessThan(1_000);
        }
    }

    private static long all(List<PacketFilter> filters, List<Packet> packets) {
        long sum = 0;
        for (int f = 0; f < filters.size(); f++) {
            for (int p = 0; p < packets.size(); p++) {
                sum += packets.get(p).match(filters.get(f));
            }
        }
        return sum;
    }

    @Test
    void filtersThatNobodyHasAreGarbage() {
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        RandomPrograms random = new RandomPrograms(11);
        List<BpfProgram> programs = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            programs.add(random.program(30, false));
        }
        compiled(programs.getFirst());
        long loaded = classes.getTotalLoadedClassCount();
        long before = loaded - classes.getUnloadedClassCount();
        for (int i = 0; i < 10_000; i++) {
            compiled(programs.get(i % programs.size()));
        }
        assertThat(classes.getTotalLoadedClassCount() - loaded).isGreaterThanOrEqualTo(10_000);
        long left = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 20 && left > before + 500; attempt++) {
            System.gc();
            left = classes.getTotalLoadedClassCount() - classes.getUnloadedClassCount();
        }
        assertThat(left).isLessThan(before + 500);
    }
}
