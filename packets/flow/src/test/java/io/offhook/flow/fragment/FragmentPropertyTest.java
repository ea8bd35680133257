package io.offhook.flow.fragment;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.IpWire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Random datagrams, cut, shuffled, mixed, repeated, overlapped, lost. */
class FragmentPropertyTest {

    private record Part(int datagram, int start, int end) {}

    @RepeatedTest(80)
    void completesExactlyTheDatagramsOfWhichNothingWasLost(RepetitionInfo repetition) {
        long seed = 1000L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        int version = random.nextBoolean() ? 4 : 6;
        int datagrams = 1 + random.nextInt(8);
        byte[][] sent = new byte[datagrams][];
        boolean[] lost = new boolean[datagrams];
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < datagrams; i++) {
            sent[i] = IpWire.payload(9 + random.nextInt(9000), i);
            List<Part> cut = cut(random, i, sent[i].length);
            if (random.nextInt(4) == 0) {
                lost[i] = true;
                cut.remove(random.nextInt(cut.size()));
            }
            for (Part part : cut) {
                parts.addAll(Collections.nCopies(random.nextInt(5) == 0 ? 2 : 1, part));
            }
        }
        Collections.shuffle(parts, random);
        boolean[] completed = new boolean[datagrams];
        try (IpWire wire = new IpWire()) {
            wire.nowNs += random.nextInt(1000);
            for (Part part : parts) {
                // copies of a fragment of a completed datagram are recognised within a few ms only
                wire.nowNs -= IpWire.MS;
                byte[] whole = sent[part.datagram];
                FragmentTable.Result result = wire.fragment(
                        version,
                        part.datagram,
                        part.start,
                        part.end < whole.length,
                        Arrays.copyOfRange(whole, part.start, part.end));
                if (result == FragmentTable.Result.COMPLETE) {
                    assertThat(wire.datagramPayload(version == 4 ? 20 : 40))
                            .as("seed %d", seed)
                            .isEqualTo(sent[part.datagram]);
                    assertThat(completed[part.datagram]).as("seed %d", seed).isFalse();
                    completed[part.datagram] = true;
                } else {
                    assertThat(result).as("seed %d", seed).isNotEqualTo(FragmentTable.Result.DROPPED);
                }
            }
            for (int i = 0; i < datagrams; i++) {
                assertThat(completed[i]).as("seed %d datagram %d", seed, i).isEqualTo(!lost[i]);
            }
        }
    }

    @RepeatedTest(80)
    void keepsForEachIpv4PositionTheByteThatCameFirst(RepetitionInfo repetition) {
        long seed = 2000L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        int length = 16 + 8 * random.nextInt(1000);
        byte[] expected = new byte[length];
        BitSet seen = new BitSet();
        try (IpWire wire = new IpWire()) {
            FragmentTable.Result result = FragmentTable.Result.WAITING;
            for (int i = 0; result != FragmentTable.Result.COMPLETE; i++) {
                // from the 30th on they cover what is missing
                int start = i < 30 ? 8 * random.nextInt(length / 8) : seen.nextClearBit(0) / 8 * 8;
                // one that is first and last would be no fragment
                int size = Math.min(start == 0 ? length - 8 : length - start, 8 * (1 + random.nextInt(200)));
                byte[] bytes = IpWire.payload(size, i);
                result = wire.v4(7, start, start + size < length, bytes);
                for (int at = seen.nextClearBit(start); at < start + size; at = seen.nextClearBit(at + 1)) {
                    expected[at] = bytes[at - start];
                }
                seen.set(start, start + size);
                assertThat(result == FragmentTable.Result.COMPLETE)
                        .as("seed %d", seed)
                        .isEqualTo(seen.cardinality() == length);
            }
            assertThat(wire.datagramPayload(20)).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @RepeatedTest(80)
    void staysWithinItsLimits(RepetitionInfo repetition) {
        long seed = 3000L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        FragmentLimits limits = new FragmentLimits(
                1 + random.nextInt(40), 1 << 17, 2 + random.nextInt(40), (1 + random.nextInt(200)) * IpWire.MS);
        try (IpWire wire = new IpWire(limits)) {
            for (int i = 0; i < 2000; i++) {
                int size = 8 * (1 + random.nextInt(random.nextInt(20) == 0 ? 4000 : 200));
                int start = 8 * random.nextInt(300);
                wire.fragment(
                        random.nextBoolean() ? 4 : 6,
                        random.nextInt(60),
                        start,
                        random.nextInt(10) > 0,
                        IpWire.payload(size, random.nextInt(3)));
                assertThat(wire.table.size()).isLessThanOrEqualTo(limits.datagrams());
            }
            assertThat(wire.table.reservedBytes()).isLessThanOrEqualTo(1 << 17);
            wire.table.flush();
            assertThat(wire.table.size()).as("seed %d", seed).isZero();
        }
    }

    /** Fragments without overlap. */
    private static List<Part> cut(Random random, int datagram, int length) {
        List<Part> parts = new ArrayList<>();
        for (int start = 0; start < length; ) {
            int size = start == 0 && length > 8
                    ? Math.min((length - 1) / 8 * 8, 8 * (1 + random.nextInt(400)))
                    : 8 * (1 + random.nextInt(400));
            int end = Math.min(length, start + size);
            parts.add(new Part(datagram, start, end));
            start = end;
        }
        return parts;
    }
}
