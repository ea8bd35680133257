package io.offhook.sip.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.transaction.OctetPool.Octets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Kept messages within a limit. */
class OctetPoolTest {
    private static byte[] message(Random random, int length) {
        byte[] octets = new byte[length];
        random.nextBytes(octets);
        return octets;
    }

    @Test
    void keepsEachMessageWhateverIsUsedAgain() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        long limit = 1 << 20;
        OctetPool pool = new OctetPool(limit);
        Map<Octets, byte[]> model = new HashMap<>();
        List<Octets> loans = new ArrayList<>();
        long refused = 0;
        for (int step = 0; step < 20_000; step++) {
            if (loans.isEmpty() || random.nextInt(2) == 0) {
                byte[] message = message(random, random.nextInt(1 << random.nextInt(18)));
                Octets loan = pool.copy(message, 0, message.length);
                if (loan == null) {
                    refused++;
                } else {
                    assertThat(model.put(loan, message))
                            .as("seed %d: given twice", seed)
                            .isNull();
                    loans.add(loan);
                }
            } else {
                Octets loan = loans.remove(random.nextInt(loans.size()));
                byte[] message = Objects.requireNonNull(model.remove(loan));
                assertThat(loan.length).isEqualTo(message.length);
                assertThat(Arrays.equals(loan.octets, 0, loan.length, message, 0, message.length))
                        .as("seed %d", seed)
                        .isTrue();
                pool.release(loan);
            }
            if (random.nextInt(50) == 0) {
                pool.trim();
            }
            long used = loans.stream().mapToLong(loan -> loan.octets.length).sum();
            assertThat(pool.usedBytes()).as("seed %d", seed).isEqualTo(used).isLessThanOrEqualTo(limit);
            assertThat(pool.refused()).isEqualTo(refused);
        }
        loans.forEach(pool::release);
        assertThat(pool.usedBytes()).isZero();
        for (int i = 0; i < 40; i++) {
            pool.trim();
        }
        assertThat(pool.freeBytes()).isZero();
    }

    @Test
    void hasArraysOf512BytesTo64KiB() {
        OctetPool pool = new OctetPool(1 << 20);
        int[][] sizes = {
            {0, 512}, {512, 512}, {513, 1024}, {1024, 1024}, {1025, 2048}, {32_769, 65_536}, {65_536, 65_536}
        };
        for (int[] size : sizes) {
            Octets loan = Objects.requireNonNull(pool.copy(new byte[size[0]], 0, size[0]));
            assertThat(loan.octets).hasSize(size[1]);
            pool.release(loan);
        }
        assertThat(pool.copy(new byte[65_537], 0, 65_537)).isNull();
        assertThat(pool.refused()).isEqualTo(1);
        pool.release(null);
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void usesAnArrayAgain() {
        OctetPool pool = new OctetPool(512);
        Octets first = Objects.requireNonNull(pool.copy(new byte[] {0, 1, 2, 3}, 1, 2));
        assertThat(first.octets).startsWith(1, 2);
        assertThat(pool.copy(new byte[1], 0, 1)).as("the limit is met").isNull();
        pool.release(first);
        assertThat(pool.freeBytes()).isEqualTo(512);
        assertThat(pool.copy(new byte[1], 0, 1)).isSameAs(first);
        assertThat(pool.freeBytes()).isZero();
    }
}
