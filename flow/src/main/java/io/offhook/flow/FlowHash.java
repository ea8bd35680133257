package io.offhook.flow;

/**
 * A hash of the two ends and the protocol of a flow that is the same for both directions, on every machine and in every
 * run: what lanes and shards are chosen by.
 *
 * <p>It has no secret, so a sender can choose flows that share a shard; it cannot make a table slow with it, as tables
 * here use a hash of their own.
 */
public final class FlowHash {
    private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

    private FlowHash() {}

    /**
     * The hash of a flow; exchanging source and destination gives the same.
     *
     * @param sourceHigh the first 64 bits of the address, as in {@link io.offhook.packet.Endpoint}
     * @param sourceLow the last 64 bits
     * @param sourcePort 0 to 65535, 0 where the protocol has none
     * @param protocol the IP protocol number, 0 to 255
     */
    public static long of(
            long sourceHigh,
            long sourceLow,
            int sourcePort,
            long destinationHigh,
            long destinationLow,
            int destinationPort,
            int protocol) {
        long source = endpoint(sourceHigh, sourceLow, sourcePort);
        long destination = endpoint(destinationHigh, destinationLow, destinationPort);
        // a sum, as it does not know which came first; an exclusive or would make all flows to oneself alike
        return mix(source + destination + GOLDEN * (protocol + 1L));
    }

    /** Which of {@code shards} (1 or more) a hash belongs to: 0 to shards - 1, evenly. */
    public static int shard(long hash, int shards) {
        return (int) Math.unsignedMultiplyHigh(hash, shards);
    }

    private static long endpoint(long high, long low, int port) {
        return mix(low ^ mix(high + GOLDEN * (port + 1L)));
    }

    /** The finalizer of SplitMix64 (Stafford's variant 13): every input bit changes each output bit half of the time. */
    static long mix(long value) {
        long z = value;
        z = (z ^ z >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ z >>> 27) * 0x94d0_49bb_1331_11ebL;
        return z ^ z >>> 31;
    }
}
