package io.offhook.research.forwarding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.dpdk.Eal;
import io.offhook.research.Forks;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ForwardingTest {
    /** In processes of their own, as EAL wants it. */
    @ParameterizedTest
    @EnumSource(ForwardingKind.class)
    void doesToPacketsWhatCDoes(ForwardingKind kind) {
        assumeTrue(Eal.missing() == null, () -> "no DPDK: " + Eal.missing());
        assumeTrue(CForwarding.CODE.missing() == null, () -> "not compared: " + CForwarding.CODE.missing());

        String java = checksum(ForwardingTechniques.java(kind));
        assertThat(java).isEqualTo(checksum(ForwardingTechniques.c(kind)));
        // the packets of the rings are in it
        assertThat(java.endsWith("-0")).isEqualTo(kind == ForwardingKind.L2_NULL);
    }

    private static String checksum(String technique) {
        List<String> lines = Forks.run(ForwardingTechniques.class, technique, "2");
        return lines.getLast().split("\t", -1)[0];
    }

    @Test
    void findsTheLongestPrefix() {
        SplittableRandom random = new SplittableRandom(7);
        int[] networks = new int[500];
        int[] depths = new int[500];
        Routes routes = new Routes();
        for (int i = 0; i < networks.length; i++) {
            depths[i] = 4 + random.nextInt(29);
            // many within others
            int near = i == 0 ? 0 : networks[random.nextInt(i)];
            networks[i] = (near ^ random.nextInt() >>> random.nextInt(32)) & -1 << 32 - depths[i];
            routes.add(networks[i], depths[i], i);
        }
        for (int round = 0; round < 200_000; round++) {
            int address = networks[random.nextInt(networks.length)] ^ random.nextInt() >>> random.nextInt(32);
            assertThat(routes.find(address)).isEqualTo(naive(networks, depths, address));
        }
    }

    /** Of several that are the same the last one, as with routes that are set again. */
    private static int naive(int[] networks, int[] depths, int address) {
        int best = -1;
        for (int i = 0; i < networks.length; i++) {
            boolean matches = Integer.toUnsignedLong(address ^ networks[i]) >>> 32 - depths[i] == 0;
            if (matches && (best < 0 || depths[i] >= depths[best])) {
                best = i;
            }
        }
        return best;
    }
}
