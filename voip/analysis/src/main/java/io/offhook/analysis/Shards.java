package io.offhook.analysis;

/**
 * The numbers of independent parts of the state: more than there are lanes, so that the work evens out and the streams
 * of a part stay in a core's cache; constants, so that the result does not depend on the lanes. A {@link
 * io.offhook.calls.event.TrafficSink} keeps state by shard.
 */
public final class Shards {
    /** Parts of the RTP streams. */
    public static final int RTP = 32;

    /** Parts of the dialogs. */
    public static final int SIP = 16;

    static final int TCP = 16;

    private Shards() {}

    /**
     * The shard of an RTP stream, chosen by the high bits of its hash, as the low bits choose its place in the table.
     */
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
