package io.offhook.cluster.event;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;

/**
 * What decides which partition an event belongs to: 64 bits, the same at all probes. All that concerns a Call-ID has its
 * hash, so that it lies in one partition, in order; what has none has that of its endpoints.
 */
public final class EventKey {
    private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

    private EventKey() {}

    /** The key of a body; 0 for what concerns the probe itself, and for {@link OtherBody}, whose key its writer knows. */
    public static long of(EventBody body) {
        return switch (body) {
            case SipMessage sip -> of(sip.callIdHash(), sip.source(), sip.destination());
            case IcmpError icmp -> of(icmp.callIdHash(), icmp.source(), icmp.destination());
            case Measured measured ->
                of(SipMessageView.callIdHash(measured.callId()), measured.source(), measured.destination());
            case StreamBegin begin -> begin.stream().hash();
            case StreamInterval interval -> interval.stream().hash();
            case StreamEnd end -> end.stream().hash();
            case Conversation conversation -> of(conversation.one(), conversation.other());
            case Drops _, Fault _, ClockStep _, Heartbeat _, OtherBody _ -> 0;
        };
    }

    private static long of(long callIdHash, Endpoint source, Endpoint destination) {
        return callIdHash == 0 ? of(source, destination) : callIdHash;
    }

    /** The key of what two endpoints have to do with each other, the same in either direction; never 0. */
    public static long of(Endpoint one, Endpoint other) {
        long key = mix(hash(one) + hash(other));
        return key == 0 ? 1 : key;
    }

    private static long hash(Endpoint endpoint) {
        return mix(endpoint.low() ^ mix(endpoint.high() + GOLDEN * (endpoint.port() + 1L)));
    }

    /**
     * The partition of a key, as docs/EVENTS.md defines it: it never changes, since events of a call would else be in two.
     *
     * @param partitions of the topic, 1 or more
     * @return 0 to {@code partitions - 1}
     */
    public static int partition(long key, int partitions) {
        Limits.range("partitions", partitions, 1, Integer.MAX_VALUE);
        return (int) Math.unsignedMultiplyHigh(mix(key), partitions);
    }

    /** The finalizer of SplitMix64 (Stafford's variant 13). */
    private static long mix(long value) {
        long z = value;
        z = (z ^ z >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ z >>> 27) * 0x94d0_49bb_1331_11ebL;
        return z ^ z >>> 31;
    }
}
