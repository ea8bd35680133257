package io.offhook.analysis;

/**
 * How many independent parts the state is cut into: more than lanes, so that the work evens out and one part's streams
 * stay in a core's own cache; constants, so that the result does not depend on the number of lanes. A {@link
 * io.offhook.calls.event.TrafficSink} keeps state by these numbers.
 */
public final class Shards {
    /** Parts of the RTP streams. */
    public static final int RTP = 32;

    /** Parts of the dialogs. */
    public static final int SIP = 16;

    static final int TCP = 16;

    private Shards() {}

    /** The shard of an RTP stream; the high bits choose it, for the low ones choose the place in its table. */
    public static int rtp(long hash) {
        return (int) (hash >>> 59);
    }

    /** The shard of a Call-ID, by {@link io.offhook.calls.event.SipPacket#callIdHash()}. */
    public static int sip(long hash) {
        return (int) (hash >>> 60);
    }

    static int tcp(long hash) {
        return (int) (hash >>> 60);
    }
}
