package io.offhook.forward.stage;

import io.offhook.forward.Burst;
import io.offhook.forward.Stage;
import io.offhook.packet.walk.PacketWalker;
import java.util.List;

/**
 * Drops packets above a rate of packets or bits per second, per receiving port or per prefix of the source address.
 * Bits are those of the Ethernet frame without check sequence. Lanes share the buckets.
 */
public final class RateLimitStage implements Stage {
    private static final int TOO_FAST = 0;
    private static final int TOO_MANY = 1;
    private static final long V4_PREFIX = 0xffffL;

    private final long ports;
    private final boolean isBits;
    private final int ipv4Length;
    private final int ipv6Length;
    private final TokenBuckets buckets;

    /** Creates a stage with buckets that lanes share. The prefix lengths are -1 if the limit is per port. */
    public RateLimitStage(long ports, boolean isBits, int ipv4Length, int ipv6Length, TokenBuckets buckets) {
        this.ports = ports;
        this.isBits = isBits;
        this.ipv4Length = ipv4Length;
        this.ipv6Length = ipv6Length;
        this.buckets = buckets;
    }

    @Override
    public String name() {
        return "rate-limit";
    }

    @Override
    public List<String> dropCauses() {
        return List.of("above the rate", "too many sources at a time");
    }

    @Override
    public void process(Burst burst) {
        for (int i = 0, count = burst.count(); i < count; i++) {
            int port = burst.port(i);
            if (port < 0 || (ports >>> port & 1) == 0) {
                continue;
            }
            long key = ipv4Length < 0 ? port + 1L : source(burst, i);
            long units = isBits ? 8L * burst.length(i) : 1;
            if (key != 0 && !buckets.take(key, units, burst.nowNs())) {
                burst.drop(i, buckets.has(key) ? TOO_FAST : TOO_MANY);
            }
        }
    }

    /** A hash of the prefix of the source; 0 for packets without an IP address, which are not limited. */
    private long source(Burst burst, int i) {
        PacketWalker layers = burst.layers(i);
        if (layers.network() < 0) {
            return 0;
        }
        long high = layers.sourceHigh();
        long low = layers.sourceLow();
        boolean isIpv4 = high == 0 && low >>> 32 == V4_PREFIX;
        int length = isIpv4 ? 96 + ipv4Length : ipv6Length;
        high &= length >= 64 ? -1L : length == 0 ? 0 : -1L << 64 - length;
        low &= length >= 128 ? -1L : length <= 64 ? 0 : -1L << 128 - length;
        long hash = (high * 0xff51afd7ed558ccdL ^ low) * 0xc4ceb9fe1a85ec53L;
        hash ^= hash >>> 29;
        return hash == 0 ? 1 : hash;
    }
}
