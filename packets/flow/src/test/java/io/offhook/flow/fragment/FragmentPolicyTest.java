package io.offhook.flow.fragment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.flow.FlowWire;
import io.offhook.flow.Holding;
import io.offhook.flow.IpWire;
import io.offhook.flow.OverlapPolicy;
import io.offhook.packet.buffer.CompositeBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Overlapping IPv4 fragments, by each policy and each way of holding them. */
class FragmentPolicyTest {

    /** A fragment of the test pattern: a letter for each of its 8-byte units. */
    private record Part(char letter, int unit, int units) {}

    /**
     * The overlap pattern of Shankar and Paxson as Novak extended it ("Target-Based Fragmentation Reassembly", 2005, figure
     * 2): A to I leave holes, J to Q overlap with them in all ways; the last unit ends the datagram.
     */
    private static final List<Part> PATTERN = List.of(
            new Part('A', 0, 3),
            new Part('B', 4, 2),
            new Part('C', 6, 3),
            new Part('D', 10, 1),
            new Part('E', 13, 2),
            new Part('F', 15, 3),
            new Part('G', 18, 2),
            new Part('H', 20, 2),
            new Part('I', 22, 1),
            new Part('J', 1, 4),
            new Part('K', 6, 3),
            new Part('L', 9, 3),
            new Part('M', 12, 3),
            new Part('N', 16, 1),
            new Part('O', 19, 1),
            new Part('P', 20, 1),
            new Part('Q', 22, 2),
            new Part('R', 24, 1));

    @ParameterizedTest
    @CsvSource({
        "FIRST,   AAAJBBCCCLDLMEEFFFGGHHIQR",
        "LAST,    AJJJJBKKKLLLMMMFNFGOPHQQR",
        "BSD,     AAAJJBCCCLLLMMMFFFGGHHIQR",
        "LINUX,   AAAJJBKKKLLLMMMFFFGGPHQQR",
        "WINDOWS, AAAJBBCCCLLLMEEFFFGGHHIQR",
        "SOLARIS, AAAJBBCCCLLLMMMFFFGGHHIQR",
    })
    void readsThePatternOfNovak(OverlapPolicy policy, String expected) {
        for (Holding holding : Holding.values()) {
            try (IpWire wire = new IpWire(FragmentLimits.DEFAULT, policy, holding)) {
                FragmentTable.Result result = FragmentTable.Result.WAITING;
                for (Part part : PATTERN) {
                    assertThat(result).isIn(FragmentTable.Result.WAITING, FragmentTable.Result.DUPLICATE);
                    byte[] payload = new byte[8 * part.units];
                    Arrays.fill(payload, (byte) part.letter);
                    result = wire.v4(1, 8 * part.unit, part.letter != 'R', payload);
                }
                assertThat(result).isEqualTo(FragmentTable.Result.COMPLETE);
                String text = new String(wire.datagramPayload(20), StandardCharsets.ISO_8859_1);
                assertThat(text.replaceAll("(.)\\1{7}", "$1")).as("%s", holding).isEqualTo(expected);
                assertThat(wire.count(FragmentCounter.OVERLAPS)).isEqualTo(8);
            }
        }
    }

    /**
     * The example of Shankar and Paxson, "Active Mapping" (2003), section 4.2: six fragments, of which the fourth lies over
     * the first two, and the fifth where the third does.
     */
    @ParameterizedTest
    @CsvSource({
        "FIRST, 111422333666",
        "LAST,  144442555666",
        "BSD,   111442333666",
        "LINUX, 111442555666",
    })
    void readsTheExampleOfShankarAndPaxson(OverlapPolicy policy, String expected) {
        List<Part> parts = List.of(
                new Part('1', 0, 3),
                new Part('2', 4, 2),
                new Part('3', 6, 3),
                new Part('4', 1, 4),
                new Part('5', 6, 3),
                new Part('6', 9, 3));
        for (Holding holding : Holding.values()) {
            try (IpWire wire = new IpWire(FragmentLimits.DEFAULT, policy, holding)) {
                for (Part part : parts) {
                    byte[] payload = new byte[8 * part.units];
                    Arrays.fill(payload, (byte) part.letter);
                    wire.v4(1, 8 * part.unit, part.letter != '6', payload);
                }
                String text = new String(wire.datagramPayload(20), StandardCharsets.ISO_8859_1);
                assertThat(text.replaceAll("(.)\\1{7}", "$1")).as("%s", holding).isEqualTo(expected);
            }
        }
    }

    /** Each relation that two pieces can have, by the rules as the papers word them. */
    @ParameterizedTest
    @EnumSource(OverlapPolicy.class)
    void decidesEachRelationAsThePapersSay(OverlapPolicy policy) {
        for (int start = 0; start < 6; start++) {
            for (int end = start + 1; end <= 6; end++) {
                if (end <= 2 || start >= 4) {
                    continue; // does not overlap with 2 to 4
                }
                boolean before = start < 2;
                boolean same = start == 2;
                boolean fragment = switch (policy) {
                    case FIRST -> false;
                    case LAST -> true;
                    case BSD -> before;
                    case LINUX -> before || same;
                    case WINDOWS -> before && end > 4;
                    case SOLARIS -> before && end >= 4;
                };
                boolean segment = switch (policy) {
                    case FIRST -> false;
                    case LAST -> true;
                    case BSD, WINDOWS -> before;
                    case LINUX -> before || same && end > 4;
                    case SOLARIS -> (before || same) && end >= 4 || end > 4;
                };
                assertThat(policy.laterFragmentCounts(start, end, 2, 4))
                        .as("%d to %d", start, end)
                        .isEqualTo(fragment);
                assertThat(policy.laterSegmentCounts(start, end, 2, 4))
                        .as("%d to %d", start, end)
                        .isEqualTo(segment);
            }
        }
    }

    @Test
    void takesAFragmentOfSeveralBlocksForOne() {
        // a copy of 4,000 bytes lies in two blocks; what begins within the first does not begin before the second
        try (IpWire wire = new IpWire(FragmentLimits.DEFAULT, OverlapPolicy.BSD, Holding.COPY)) {
            byte[] old = IpWire.payload(4000, 1);
            byte[] later = IpWire.payload(4000, 2);
            wire.v4(1, 0, true, old);
            wire.v4(1, 1000, true, later);
            wire.v4(1, 5000, false, new byte[8]);
            byte[] payload = wire.datagramPayload(20);
            assertThat(Arrays.copyOf(payload, 4000)).isEqualTo(old);
            assertThat(Arrays.copyOfRange(payload, 4000, 5000)).isEqualTo(Arrays.copyOfRange(later, 3000, 4000));
        }
    }

    @Test
    void discardsIpv6WhateverThePolicy() {
        for (OverlapPolicy policy : OverlapPolicy.values()) {
            try (IpWire wire = new IpWire(FragmentLimits.DEFAULT, policy, Holding.COPY)) {
                wire.v6(1, 0, true, IpWire.payload(16, 1));
                assertThat(wire.v6(1, 8, true, IpWire.payload(16, 2))).isEqualTo(FragmentTable.Result.DROPPED);
                assertThat(wire.count(FragmentCounter.DISCARDED)).isEqualTo(1);
                assertThat(wire.v6(1, 24, false, IpWire.payload(8, 2))).isEqualTo(FragmentTable.Result.DROPPED);
            }
        }
    }

    /** Against a plain array of bytes in which each unit remembers what wrote it. */
    @RepeatedTest(100)
    void agreesWithAModel(RepetitionInfo repetition) {
        long seed = 7000L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        OverlapPolicy policy = random.nextBoolean() ? OverlapPolicy.LAST : OverlapPolicy.FIRST;
        Holding holding = random.nextBoolean() ? Holding.COPY : Holding.REFERENCE;
        int units = 4 + random.nextInt(600);
        byte[] model = new byte[8 * units];
        boolean[] written = new boolean[8 * units];
        try (IpWire wire = new IpWire(FragmentLimits.DEFAULT, policy, holding)) {
            FragmentTable.Result result = FragmentTable.Result.WAITING;
            int missing = model.length;
            for (int i = 0; missing > 0; i++) {
                int start = i < 40 ? random.nextInt(units) : firstFree(written) / 8;
                int length = Math.min(start == 0 ? units - 1 : units - start, 1 + random.nextInt(i < 40 ? 40 : units));
                byte[] bytes = IpWire.payload(8 * length, i);
                result = wire.v4(3, 8 * start, start + length < units, bytes);
                for (int at = 0; at < bytes.length; at++) {
                    int position = 8 * start + at;
                    missing -= written[position] ? 0 : 1;
                    if (!written[position] || policy == OverlapPolicy.LAST) {
                        model[position] = bytes[at];
                    }
                    written[position] = true;
                }
            }
            assertThat(result).as("seed %d", seed).isEqualTo(FragmentTable.Result.COMPLETE);
            CompositeBuffer stretches = wire.table.stretches();
            byte[] listed = new byte[(int) stretches.length()];
            stretches.copyTo(0, listed, 0, listed.length);
            assertThat(Arrays.copyOfRange(listed, 20, listed.length))
                    .as("seed %d", seed)
                    .isEqualTo(model);
            assertThat(wire.datagramPayload(20)).as("seed %d", seed).isEqualTo(model);
        }
    }

    private static int firstFree(boolean[] written) {
        int i = 0;
        while (written[i]) {
            i++;
        }
        return i;
    }

    @Test
    void copiesNoPayloadWhereFramesStay() {
        try (IpWire wire = new IpWire(FragmentLimits.DEFAULT, OverlapPolicy.FIRST, Holding.REFERENCE)) {
            List<MemorySegment> frames = new ArrayList<>();
            byte[] whole = IpWire.payload(3000, 1);
            frames.add(wire.frame);
            wire.v4(1, 1480, true, Arrays.copyOfRange(whole, 1480, 2960));
            frames.add(wire.frame);
            wire.v4(1, 2960, false, Arrays.copyOfRange(whole, 2960, 3000));
            frames.add(wire.frame);
            assertThat(wire.table.reservedBytes()).isBetween(1520L, 1520L + 4 * 64);
            assertThat(wire.v4(1, 0, true, Arrays.copyOfRange(whole, 0, 1480)))
                    .isEqualTo(FragmentTable.Result.COMPLETE);
            CompositeBuffer stretches = wire.table.stretches();
            assertThat(stretches.length()).isEqualTo(3020);
            assertThat(stretches.stretchCount()).isEqualTo(4);
            assertThat(stretches.stretchSegment(1)).isEqualTo(frames.get(2));
            assertThat(stretches.stretchSegment(2)).isEqualTo(frames.get(0));
            assertThat(stretches.stretchSegment(3)).isEqualTo(frames.get(1));
            assertThat(stretches.stretchOffset(2)).isEqualTo(IpWire.LINK_HEADER + 20);
            assertThat(stretches.originAt(20)).isEqualTo(3);
            assertThat(stretches.originAt(20 + 1480)).isEqualTo(1);
            assertThat(stretches.u16(2)).isEqualTo(3020);
            // what is in the frame is what is read: nothing was copied
            frames.getFirst().set(ValueLayout.JAVA_BYTE, IpWire.LINK_HEADER + 20, (byte) 99);
            assertThat(stretches.u8(20 + 1480)).isEqualTo(99);
            assertThat(wire.datagramPayload(20)[1480]).isEqualTo((byte) 99);
            assertThat(wire.table.reservedBytes()).isZero();
        }
    }

    @Test
    void listsIpv6WithoutItsFragmentHeader() {
        for (Holding holding : Holding.values()) {
            try (IpWire wire = new IpWire(FragmentLimits.DEFAULT, OverlapPolicy.FIRST, holding)) {
                byte[] whole = IpWire.payload(100, 1);
                wire.hopByHop = 16;
                assertThat(wire.v6(9, 0, false, whole)).isEqualTo(FragmentTable.Result.COMPLETE); // atomic
                assertThat(wire.table.stretches().length()).isEqualTo(40 + 16 + 100);
                assertThat(wire.table.stretches().u8(40)).isEqualTo(17);
                assertThat(wire.datagramPayload(56)).isEqualTo(whole);
                wire.v6(10, 64, false, Arrays.copyOfRange(whole, 64, 100));
                assertThat(wire.v6(10, 0, true, Arrays.copyOf(whole, 64))).isEqualTo(FragmentTable.Result.COMPLETE);
                assertThat(wire.table.stretches().length()).isEqualTo(40 + 16 + 100);
                assertThat(wire.table.stretches().u16(4)).isEqualTo(116);
                assertThat(wire.datagramPayload(56)).isEqualTo(whole);
            }
        }
    }

    @Test
    void countsWhatIsReferencedAgainstItsBudget() {
        FragmentLimits limits = new FragmentLimits(1000, 1 << 17, 100, 30_000 * IpWire.MS);
        try (IpWire wire = new IpWire(limits, OverlapPolicy.FIRST, Holding.REFERENCE)) {
            for (int i = 0; i < 500; i++) {
                wire.v4(i, 8, true, IpWire.payload(1000, i));
                assertThat(wire.table.reservedBytes()).isLessThanOrEqualTo(limits.bytes());
            }
            assertThat(wire.count(FragmentCounter.EVICTED)).isEqualTo(500 - wire.table.size());
            assertThat(wire.table.size()).isBetween(115, 125);
        }
    }

    @Test
    void countsTinyFragmentsAndPutsThemTogether() {
        try (IpWire wire = new IpWire()) {
            byte[] whole = IpWire.payload(64, 1);
            for (int at = 0; at < 64; at += 8) {
                wire.v4(1, at, at < 56, Arrays.copyOfRange(whole, at, at + 8));
            }
            assertThat(wire.datagramPayload(20)).isEqualTo(whole);
            assertThat(wire.count(FragmentCounter.TINY)).isEqualTo(7); // the last may be as small as it likes
            wire.v4(2, 0, true, IpWire.payload(48, 1)); // 68 bytes
            wire.v6(3, 0, true, IpWire.payload(592, 1)); // 640 bytes
            assertThat(wire.count(FragmentCounter.TINY)).isEqualTo(7);
            wire.v6(4, 0, true, IpWire.payload(584, 1));
            assertThat(wire.count(FragmentCounter.TINY)).isEqualTo(8);
        }
    }

    @Test
    void takesInAWalkedPacket() {
        FlowWire frames = new FlowWire();
        frames.isWithoutTable = true;
        frames.identification = 5;
        frames.isMore = true;
        try (FragmentTable table = new FragmentTable(FragmentLimits.DEFAULT)) {
            frames.udp(FlowWire.CLIENT, FlowWire.SERVER, 64);
            assertThat(table.add(frames.walker, FlowWire.START_NS, 1)).isEqualTo(FragmentTable.Result.WAITING);
            frames.fragmentOffset = 72;
            frames.isMore = false;
            frames.vlans = List.of(7); // another network: it belongs to another datagram
            frames.udp(FlowWire.CLIENT, FlowWire.SERVER, 64);
            assertThat(table.add(frames.walker, FlowWire.START_NS, 2)).isEqualTo(FragmentTable.Result.WAITING);
            frames.vlans = List.of();
            frames.udp(FlowWire.CLIENT, FlowWire.SERVER, 64);
            assertThat(table.add(frames.walker, FlowWire.START_NS, 3)).isEqualTo(FragmentTable.Result.COMPLETE);
            assertThat(table.datagramLength()).isEqualTo(20 + 72 + 72);
            frames.fragmentOffset = 0;
            frames.udp(FlowWire.CLIENT, FlowWire.SERVER, 64);
            assertThatThrownBy(() -> table.add(frames.walker, FlowWire.START_NS, 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("frame 4 has no IP fragment");
        }
    }
}
