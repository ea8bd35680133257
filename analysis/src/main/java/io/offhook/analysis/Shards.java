package io.offhook.analysis;

/**
 * How many independent parts the state is cut into: more than lanes, so that the work evens out and one part's streams
 * stay in a core's own cache; a constant, so that the result does not depend on the number of lanes.
 */
final class Shards {
    static final int RTP = 32;
    static final int TCP = 16;
    static final int SIP = 16;

    private Shards() {}

    /** The high bits choose the shard, for the low ones choose the place in its table. */
    static int rtp(long hash) {
        return (int) (hash >>> 59);
    }

    static int tcp(long hash) {
        return (int) (hash >>> 60);
    }

    static int sip(long hash) {
        return (int) (hash >>> 60);
    }
}
