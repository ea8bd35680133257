package io.offhook.flow;

/**
 * A symmetric hash of the endpoints and the protocol of a flow: equal for both directions, on every machine and in
 * every run. It selects lanes and shards.
 *
 * <p>The hash has no secret, so a sender can construct flows that share a shard. Such flows do not slow tables down,
 * because tables use a keyed hash of their own.
 */
public final class FlowHash {
    private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

    private FlowHash() {}

    /**
     * The hash of a flow; exchanging source and destination yields the same hash.
     *
     * @param sourceHigh the first 64 bits of the address, as in {@link io.offhook.packet.Endpoint}
     * @param sourceLow the last 64 bits of the address
     * @param sourcePort 0 to 65535, 0 if the protocol has no ports
     * @param destinationHigh the first 64 bits of the address
     * @param destinationLow the last 64 bits of the address
     * @param destinationPort 0 to 65535, 0 if the protocol has no ports
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
        // a sum, which is symmetric; exclusive or would map all flows with equal endpoints to one value
        return mix(source + destination + GOLDEN * (protocol + 1L));
    }

    /**
     * The shard of a hash: 0 to {@code shards - 1}, evenly distributed.
     *
     * @param shards the number of shards, 1 or more
     */
    public static int shard(long hash, int shards) {
        return (int) Math.unsignedMultiplyHigh(hash, shards);
    }

    private static long endpoint(long high, long low, int port) {
        return mix(low ^ mix(high + GOLDEN * (port + 1L)));
    }

    /**
     * The finalizer of SplitMix64 (Stafford's variant 13): each input bit flips each output bit with probability one
     * half.
     */
    public static long mix(long value) {
        long z = value;
        z = (z ^ z >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ z >>> 27) * 0x94d0_49bb_1331_11ebL;
        return z ^ z >>> 31;
    }
}
