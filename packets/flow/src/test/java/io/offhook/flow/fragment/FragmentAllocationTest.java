package io.offhook.flow.fragment;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.AllocatedBytes;
import io.offhook.flow.Holding;
import io.offhook.flow.IpWire;
import io.offhook.flow.OverlapPolicy;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Putting datagrams together, out of order and with overlaps, costs no allocation once the table has grown. */
class FragmentAllocationTest {
    private static final int PARTS = 4;
    private static final int PAYLOAD = 1480;
    private static final int STRIDE = 2048;

    private static final int DATAGRAMS = 200;

    private final MemorySegment frames = Arena.ofAuto().allocate(PARTS * STRIDE);
    private long timestampNs = IpWire.START_NS;
    private long frameNumber;
    private int datagrams;
    private long sum;

    @ParameterizedTest
    @EnumSource(Holding.class)
    void allocatesNothingForADatagram(Holding holding) {
        try (FragmentTable table = new FragmentTable(FragmentLimits.DEFAULT, OverlapPolicy.LAST, holding, null)) {
            for (int part = 0; part < PARTS; part++) {
                write(part);
            }
            long least = AllocatedBytes.leastOf(() -> run(table, datagrams + DATAGRAMS));
            assertThat(least).isLessThan(AllocatedBytes.OF_ASKING);
            assertThat(datagrams).isEqualTo(AllocatedBytes.RUNS * DATAGRAMS);
            assertThat(sum).isEqualTo((long) datagrams * (20 + PARTS * PAYLOAD));
            assertThat(table.count(FragmentCounter.OVERLAPS)).isEqualTo(2L * datagrams);
        }
    }

    private void write(int part) {
        long at = (long) part * STRIDE;
        NetworkOrder.putU16(frames, at, 0x4500);
        NetworkOrder.putU16(frames, at + 2, 20 + PAYLOAD);
        NetworkOrder.putU16(frames, at + 8, 64 << 8 | 17);
        NetworkOrder.putU32(frames, at + 12, 0x0a000001);
        NetworkOrder.putU32(frames, at + 16, 0x0a000002);
        frames.asSlice(at + 20, PAYLOAD).fill((byte) part);
    }

    private void run(FragmentTable table, int to) {
        for (; datagrams < to; datagrams++) {
            for (int part = PARTS - 1; part >= 0; part--) {
                // the third comes a second time, 8 bytes earlier
                if (part == 1) {
                    add(table, datagrams, 2, 2 * PAYLOAD - 8);
                }
                if (add(table, datagrams, part, part * PAYLOAD) == FragmentTable.Result.COMPLETE) {
                    sum += table.stretches().length();
                }
            }
        }
    }

    private FragmentTable.Result add(FragmentTable table, int identification, int part, int offset) {
        long at = (long) part * STRIDE;
        NetworkOrder.putU16(frames, at + 4, identification);
        NetworkOrder.putU16(frames, at + 6, (part < PARTS - 1 ? 0x2000 : 0) | offset / 8);
        timestampNs += 1000;
        return table.add(frames, at, 20 + PAYLOAD, timestampNs, ++frameNumber, 0);
    }
}
