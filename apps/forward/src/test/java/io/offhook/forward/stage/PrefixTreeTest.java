package io.offhook.forward.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.forward.IpPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrefixTreeTest {
    private static long mask(long bits, int length) {
        return length <= 0 ? 0 : length >= 64 ? bits : bits & -1L << 64 - length;
    }

    private static boolean matches(IpPrefix prefix, long high, long low) {
        int length = prefix.length();
        return mask(prefix.high(), length) == mask(high, length)
                && mask(prefix.low(), length - 64) == mask(low, length - 64);
    }

    /** The longest by looking at all; of two that are the same, the last. */
    private static int naive(List<IpPrefix> prefixes, long high, long low) {
        int best = PrefixTree.NONE;
        for (int i = 0; i < prefixes.size(); i++) {
            if (matches(prefixes.get(i), high, low)
                    && (best < 0
                            || prefixes.get(i).length() >= prefixes.get(best).length())) {
                best = i;
            }
        }
        return best;
    }

    private static PrefixTree tree(List<IpPrefix> prefixes) {
        PrefixTree.Builder builder = new PrefixTree.Builder();
        for (int i = 0; i < prefixes.size(); i++) {
            IpPrefix prefix = prefixes.get(i);
            builder.add(prefix.high(), prefix.low(), prefix.length(), i);
        }
        return builder.build();
    }

    @Test
    void findsNothingInAnEmptyTree() {
        assertThat(tree(List.of()).find(0, 0)).isEqualTo(PrefixTree.NONE);
        assertThat(tree(List.of()).find(-1, -1)).isEqualTo(PrefixTree.NONE);
    }

    @Test
    void prefersTheLongerPrefix() {
        PrefixTree tree = tree(List.of(
                IpPrefix.parse("0.0.0.0/0"),
                IpPrefix.parse("10.0.0.0/8"),
                IpPrefix.parse("10.1.0.0/16"),
                IpPrefix.parse("10.1.2.3/32")));
        assertThat(tree.find(IpPrefix.parse("9.9.9.9").high(), 0)).isZero();
        assertThat(tree.find(IpPrefix.parse("10.2.0.1").high(), 0)).isEqualTo(1);
        assertThat(tree.find(IpPrefix.parse("10.1.2.4").high(), 0)).isEqualTo(2);
        assertThat(tree.find(IpPrefix.parse("10.1.2.3").high(), 0)).isEqualTo(3);
    }

    @Test
    void agreesWithTheNaiveOneForIpv4() {
        Random random = new Random(4);
        for (int round = 0; round < 60; round++) {
            List<IpPrefix> prefixes = new ArrayList<>();
            // few first bits, so that they nest
            for (int i = random.nextInt(300); i >= 0; i--) {
                long high = (long) (random.nextInt() & 0xe0ff_ffff) << 32;
                prefixes.add(new IpPrefix(high, 0, random.nextInt(33), true));
            }
            PrefixTree tree = tree(prefixes);
            for (int i = 0; i < 400; i++) {
                IpPrefix near = prefixes.get(random.nextInt(prefixes.size()));
                long high = random.nextBoolean()
                        ? (long) random.nextInt() << 32
                        : near.high() ^ 1L << 32 + random.nextInt(32);
                assertThat(tree.find(high, 0)).as("round " + round).isEqualTo(naive(prefixes, high, 0));
            }
        }
    }

    @Test
    void agreesWithTheNaiveOneForIpv6() {
        Random random = new Random(6);
        for (int round = 0; round < 60; round++) {
            List<IpPrefix> prefixes = new ArrayList<>();
            for (int i = random.nextInt(200); i >= 0; i--) {
                long high = random.nextInt(4) == 0 ? random.nextLong() : 0x2001_0db8_0000_0000L | random.nextInt(4);
                prefixes.add(new IpPrefix(high, random.nextLong(), random.nextInt(129), false));
            }
            PrefixTree tree = tree(prefixes);
            for (int i = 0; i < 400; i++) {
                IpPrefix near = prefixes.get(random.nextInt(prefixes.size()));
                int bit = random.nextInt(129);
                long high = near.high() ^ (bit < 64 ? 1L << bit : 0);
                long low = near.low() ^ (bit >= 64 && bit < 128 ? 1L << bit - 64 : 0);
                assertThat(tree.find(high, low)).as("round " + round).isEqualTo(naive(prefixes, high, low));
            }
        }
    }

    @Test
    void isSmallForManyPrefixes() {
        Random random = new Random(8);
        PrefixTree.Builder builder = new PrefixTree.Builder();
        for (int i = 0; i < 200_000; i++) {
            builder.add((long) random.nextInt() << 32, 0, 16 + random.nextInt(9), i % 64);
        }
        assertThat(builder.build().memoryBytes()).isLessThan(40 << 20);
    }

    @Test
    void readsPrefixes() {
        assertThat(IpPrefix.parse("192.0.2.7/24").network()).hasToString("192.0.2.0/24");
        assertThat(IpPrefix.parse("192.0.2.7/24").isNetwork()).isFalse();
        assertThat(IpPrefix.parse("2001:db8::1/32").network()).hasToString("2001:db8::/32");
        assertThat(IpPrefix.parse("::/0").isNetwork()).isTrue();
        assertThat(IpPrefix.parse("::ffff:1.2.3.4/128").isIpv4()).isFalse();
        assertThat(IpPrefix.parse("10.1.2.3").length()).isEqualTo(32);
        assertThat(IpPrefix.parse("10.0.0.0/8")
                        .contains(IpPrefix.parse("10.255.0.1").high(), 0))
                .isTrue();
        for (String none : List.of("10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/", "10.0.0.0/-1", "x", "")) {
            assertThatThrownBy(() -> IpPrefix.parse(none)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
