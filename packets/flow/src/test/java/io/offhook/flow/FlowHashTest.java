package io.offhook.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class FlowHashTest {
    private static final long A = 0xffff_0a00_0001L;
    private static final long B = 0xffff_0a00_0002L;

    @Test
    void isTheSameForBothDirections() {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            long ah = random.nextLong();
            long al = random.nextLong();
            long bh = random.nextLong();
            long bl = random.nextLong();
            int ap = random.nextInt(65_536);
            int bp = random.nextInt(65_536);
            assertThat(FlowHash.of(ah, al, ap, bh, bl, bp, 17)).isEqualTo(FlowHash.of(bh, bl, bp, ah, al, ap, 17));
        }
    }

    @Test
    void isTheSameOnEveryMachineAndInEveryRun() {
        assertThat(FlowHash.of(0, A, 5060, 0, B, 5062, 17)).isEqualTo(0x50f4_eec0_7d4d_468aL);
        assertThat(FlowHash.of(0, A, 5060, 0, B, 5062, 6)).isEqualTo(0x4328_db57_cd45_8bb0L);
    }

    @Test
    void tellsPortsOfTheSameAddressesApart() {
        assertThat(FlowHash.of(0, A, 1, 0, B, 2, 17)).isNotEqualTo(FlowHash.of(0, A, 2, 0, B, 1, 17));
        assertThat(FlowHash.of(0, A, 1, 0, A, 1, 17)).isNotEqualTo(FlowHash.of(0, B, 1, 0, B, 1, 17));
    }

    @Test
    void spreadsFlowsThatDifferLittleEvenly() {
        for (int shards : new int[] {2, 3, 7, 8, 64}) {
            int[] count = new int[shards];
            int flows = 64_000;
            for (int i = 0; i < flows; i++) {
                long hash = FlowHash.of(0, A, 10_000 + 2 * (i % 8000), 0, B + i / 8000, 20_000, 17);
                count[FlowHash.shard(hash, shards)]++;
            }
            double mean = (double) flows / shards;
            for (int n : count) {
                // six standard deviations
                assertThat((double) n).isBetween(mean - 6 * Math.sqrt(mean), mean + 6 * Math.sqrt(mean));
            }
        }
    }

    @Test
    void changesHalfOfItsBitsWithEachBitOfInput() {
        Random random = new Random(2);
        long[] bits = new long[64];
        int samples = 2000;
        for (int i = 0; i < samples; i++) {
            long low = random.nextLong();
            long hash = FlowHash.of(0, low, 5060, 0, B, 5060, 17);
            for (int bit = 0; bit < 64; bit++) {
                bits[bit] += Long.bitCount(hash ^ FlowHash.of(0, low ^ 1L << bit, 5060, 0, B, 5060, 17));
            }
        }
        for (long sum : bits) {
            assertThat((double) sum / samples).isBetween(31.0, 33.0);
        }
    }
}
