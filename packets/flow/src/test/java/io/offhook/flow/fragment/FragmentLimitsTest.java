package io.offhook.flow.fragment;

import static io.offhook.flow.fragment.FragmentTable.Result.COMPLETE;
import static io.offhook.flow.fragment.FragmentTable.Result.DROPPED;
import static io.offhook.flow.fragment.FragmentTable.Result.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.IpWire;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Datagrams that are given up: time, number, memory. */
class FragmentLimitsTest {
    private static final long TIMEOUT_NS = 30_000 * IpWire.MS;
    private final byte[] part = IpWire.payload(1480, 1);

    @Test
    void givesUpADatagramAtAFragmentAfterItsTimeout() {
        try (IpWire wire = new IpWire()) {
            wire.v4(7, 0, true, part);
            wire.nowNs += TIMEOUT_NS;
            assertThat(wire.v4(7, 1480, false, part)).isEqualTo(WAITING);
            assertThat(wire.count(FragmentCounter.TIMED_OUT)).isEqualTo(1);
            assertThat(wire.v4(7, 0, true, part)).isEqualTo(COMPLETE);
        }
    }

    @Test
    void completesADatagramWithinItsTimeoutHoweverManyOthersCome() {
        try (IpWire wire = new IpWire()) {
            wire.v4(7, 0, true, part);
            wire.nowNs += TIMEOUT_NS + 100 * IpWire.MS;
            wire.v4(8, 0, true, part);
            wire.nowNs = IpWire.START_NS + TIMEOUT_NS;
            assertThat(wire.v4(7, 1480, false, part)).isEqualTo(COMPLETE);
        }
    }

    @Test
    void forgetsADatagramAfterTwiceItsTimeout() {
        try (IpWire wire = new IpWire()) {
            wire.v4(7, 0, true, part);
            wire.nowNs += 2 * TIMEOUT_NS + IpWire.MS;
            wire.v4(8, 0, true, part);
            assertThat(wire.table.size()).isEqualTo(1);
            assertThat(wire.count(FragmentCounter.TIMED_OUT)).isEqualTo(1);
        }
    }

    @Test
    void evictsTheOldestDatagramWhenTheTableIsFull() {
        try (IpWire wire = new IpWire(new FragmentLimits(3, 1 << 20, 16, TIMEOUT_NS))) {
            for (int id = 1; id <= 4; id++) {
                wire.v4(id, 0, true, part);
            }
            assertThat(wire.table.size()).isEqualTo(3);
            assertThat(wire.count(FragmentCounter.EVICTED)).isEqualTo(1);
            assertThat(wire.v4(2, 1480, false, part)).isEqualTo(COMPLETE);
            assertThat(wire.v4(1, 1480, false, part)).isEqualTo(WAITING);
        }
    }

    @Test
    void evictsTheOldestDatagramWhenMemoryIsUsedUp() {
        try (IpWire wire = new IpWire(new FragmentLimits(4096, 1 << 17, 16, TIMEOUT_NS))) {
            for (int id = 1; id <= 1000; id++) {
                wire.v4(id, 0, true, part);
            }
            // 64 blocks, of which each datagram takes two, header and payload
            assertThat(wire.table.size()).isBetween(30, 32);
            assertThat(wire.table.reservedBytes()).isLessThanOrEqualTo(1 << 17);
            assertThat(wire.count(FragmentCounter.EVICTED)).isEqualTo(1000L - wire.table.size());
            assertThat(wire.v4(1000, 1480, false, part)).isEqualTo(COMPLETE);
            byte[] large = IpWire.payload(65_000, 2);
            wire.v4(2000, 0, true, large);
            assertThat(wire.v4(2000, 65_000, false, Arrays.copyOf(part, 8))).isEqualTo(COMPLETE);
            assertThat(wire.datagramPayload(20)).startsWith(large);
        }
    }

    @Test
    void givesUpADatagramOfTooManyFragments() {
        try (IpWire wire = new IpWire(new FragmentLimits(10, 1 << 20, 4, TIMEOUT_NS))) {
            for (int i = 0; i < 4; i++) {
                assertThat(wire.v4(7, i * 8, true, IpWire.payload(8, i))).isEqualTo(WAITING);
            }
            assertThat(wire.v4(7, 32, false, IpWire.payload(8, 4))).isEqualTo(DROPPED);
            assertThat(wire.count(FragmentCounter.EVICTED)).isEqualTo(1);
            assertThat(wire.table.size()).isZero();
        }
    }

    @Test
    void usesItsMemoryAgain() {
        try (IpWire wire = new IpWire(new FragmentLimits(16, 1 << 17, 64, TIMEOUT_NS))) {
            for (int id = 0; id < 2000; id++) {
                wire.v4(id, 0, true, part);
                wire.v6(id, 0, true, part);
                wire.v6(id, 8, true, part);
                assertThat(wire.v4(id, 1480, false, part)).isEqualTo(COMPLETE);
            }
            assertThat(wire.table.reservedBytes()).isLessThanOrEqualTo(1 << 17);
            assertThat(wire.count(FragmentCounter.COMPLETED)).isEqualTo(2000);
            assertThat(wire.count(FragmentCounter.DISCARDED)).isEqualTo(2000);
            assertThat(wire.count(FragmentCounter.EVICTED)).isZero();
        }
    }

    @Test
    void countsWhatIsUnfinishedAtTheEnd() {
        try (IpWire wire = new IpWire()) {
            wire.v4(7, 0, true, part);
            wire.v6(7, 0, true, part);
            wire.v6(8, 0, true, part);
            wire.v6(8, 8, true, part);
            wire.table.flush();
            assertThat(wire.count(FragmentCounter.UNFINISHED)).isEqualTo(2);
            assertThat(wire.table.placed(FragmentCounter.UNFINISHED).firstFrame())
                    .isEqualTo(1);
            assertThat(wire.table.placed(FragmentCounter.UNFINISHED).lastFrame())
                    .isEqualTo(2);
            assertThat(wire.table.placed(FragmentCounter.UNFINISHED).firstNs())
                    .isLessThan(wire.table.placed(FragmentCounter.UNFINISHED).lastNs());
            assertThat(wire.table.placed(FragmentCounter.TIMED_OUT).firstFrame())
                    .isZero();
            assertThat(wire.count(FragmentCounter.DISCARDED)).isEqualTo(1);
            assertThat(wire.table.size()).isZero();
        }
    }
}
