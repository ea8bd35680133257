package io.offhook.forward.stage;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NeighborTableTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1000 * MS;
    private static final long MAC = 0x0200_0000_0000L;

    private static long high(int host) {
        return 0x0a00_0000_0000_0000L | (long) host << 32;
    }

    @Test
    void agreesWithAMapWhileNeighboursComeMoveAndAge() {
        Random random = new Random(3);
        long nowNs = -5 * SECOND; // as a clock may begin
        NeighborTable table = new NeighborTable(400, 60 * SECOND, nowNs);
        Map<Integer, long[]> expected = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            nowNs += random.nextInt((int) (20 * MS));
            int host = random.nextInt(random.nextInt(10) == 0 ? 300 : 20);
            if (random.nextInt(3) == 0) {
                long reported = MAC + random.nextInt(3);
                table.expect(1, high(host), 0);
                table.learn(1, high(host), 0, reported, nowNs);
                expected.put(host, new long[] {reported, nowNs});
            }
            int asked = random.nextInt(300);
            long[] known = expected.get(asked);
            long link = known == null || nowNs - known[1] > 60 * SECOND ? 0 : known[0];
            assertThat(table.find(1, high(asked), 0, nowNs)).as("step " + i).isEqualTo(link);
            assertThat(table.find(2, high(asked), 0, nowNs)).isZero();
        }
        assertThat(table.refused()).isZero();
        assertThat(table.count()).isBetween(20, 300);
    }

    @Test
    void takesOthersInThePlaceOfThoseWhoseTimeIsOver() {
        NeighborTable table = new NeighborTable(16, 60 * SECOND, 0);
        for (int host = 0; host < 20; host++) {
            table.learn(0, high(host), 0, MAC, SECOND + host * SECOND);
        }
        // half of it is for those whom the router asked
        assertThat(table.count()).isEqualTo(8);
        assertThat(table.refused()).isEqualTo(12);
        table.learn(0, high(20), 0, MAC, 61 * SECOND);
        assertThat(table.refused()).isEqualTo(13);
        table.learn(0, high(21), 0, MAC, 61 * SECOND + 1);
        assertThat(table.find(0, high(21), 0, 62 * SECOND)).isEqualTo(MAC);
        assertThat(table.find(0, high(0), 0, 62 * SECOND)).isZero();
        assertThat(table.count()).isEqualTo(8);
    }

    /** So that who invents neighbours, or moves them, does not keep a lane busy. */
    @Test
    void makesALargeTableAnewSeldom() {
        NeighborTable table = new NeighborTable(65_536, 3600 * SECOND, 0);
        long nowNs = 0;
        for (int host = 0; host < 3000; host++) {
            nowNs += MS;
            table.learn(0, high(host), 0, MAC, nowNs);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int host = 0; host < 3000; host++) {
            nowNs += MS;
            table.learn(0, high(host), 0, MAC + 1, nowNs);
            nowNs += MS;
            table.learn(0, high(host / 3 + 4000), 0, MAC, nowNs);
        }
        assertThat(table.count()).isEqualTo(4000);
        assertThat(table.refused()).isZero();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(2 << 20);
    }
}
