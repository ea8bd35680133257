package io.offhook.flow.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class KeyTableTest {

    @RepeatedTest(20)
    void findsWhatAMapFinds(RepetitionInfo repetition) {
        long seed = repetition.getCurrentRepetition();
        Random random = new Random(seed);
        int limit = 1 + random.nextInt(5000);
        int range = 1 + random.nextInt(limit * 2);
        KeyTable table = new KeyTable(limit);
        Map<List<Long>, Integer> map = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            long k = random.nextInt(range);
            // keys that differ in one word only
            long[] key = new long[5];
            key[(int) (k % 5)] = k << (k % 60);
            List<Long> boxed = List.of(key[0], key[1], key[2], key[3], key[4]);
            int hash = table.hash(key[0], key[1], key[2], key[3], key[4]);
            int number = table.find(hash, key[0], key[1], key[2], key[3], key[4]);
            assertThat(number).as("seed %d", seed).isEqualTo(map.getOrDefault(boxed, KeyTable.NONE));
            if (number != KeyTable.NONE && random.nextInt(3) == 0) {
                table.remove(number);
                map.remove(boxed);
            } else if (number == KeyTable.NONE && !table.isFull()) {
                int added = table.add(hash, key[0], key[1], key[2], key[3], key[4]);
                assertThat(added).isBetween(0, limit - 1);
                assertThat(map.put(boxed, added)).isNull();
            }
            assertThat(table.size()).isEqualTo(map.size());
        }
        assertThat(map.values()).doesNotHaveDuplicates();
    }

    /** What a sender of IPv6 packets can choose freely: the first bits of both halves of both addresses. */
    @Test
    void spreadsKeysThatDifferInTheirUpperBitsOnly() {
        KeyTable table = new KeyTable(1);
        for (int shift : new int[] {60, 56, 32, 0}) {
            Set<Integer> hashes = new HashSet<>();
            for (long i = 0; i < 1 << 16; i++) {
                long a = (i & 15) << shift;
                long b = (i >>> 4 & 15) << shift;
                long c = (i >>> 8 & 15) << shift;
                long d = (i >>> 12) << shift;
                hashes.add(table.hash(a, b, c, d, 7));
            }
            // of 65,536 random numbers of 32 bits, one pair in two draws is equal
            assertThat(hashes).as("shift %d", shift).hasSizeGreaterThan((1 << 16) - 20);
        }
    }

    @Test
    void refusesWhatItDoesNotHold() {
        KeyTable table = new KeyTable(1);
        int number = table.add(table.hash(1, 2, 3, 4, 5), 1, 2, 3, 4, 5);
        assertThatThrownBy(() -> table.add(0, 1, 2, 3, 4, 6)).isInstanceOf(IllegalStateException.class);
        table.remove(number);
        assertThatThrownBy(() -> table.remove(number)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new KeyTable(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
