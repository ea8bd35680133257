package io.offhook.calls.points;

import io.offhook.packet.Endpoint;

/**
 * A SIP message at one point, with its retransmissions.
 *
 * <p>On one hop its Via branch identifies it (RFC 3261, 17.1.3), whatever NAT and ALGs rewrite. A proxy adds a branch of
 * its own; what it forwards has the same Call-ID, tags and CSeq (RFC 3261, 16.6 and 16.7).
 */
final class PointMessage {
    private static final long MIX = 0x9e3779b97f4a7c15L;

    final String callId;
    /** The method, or the status and the method of its request: "INVITE", "200 INVITE". */
    final String what;

    final long cseq;
    final boolean isRequest;
    /** Whether a proxy answers it, or makes it, by itself. */
    final boolean isHopByHop;

    final Endpoint source;
    final Endpoint destination;
    /** The first transmission. */
    final long atNs;

    final long frame;
    final long hopKey;
    final long dialogKey;
    int transmissions = 1;
    /** The last transmission. */
    long lastNs;
    /** By how much the clock had been set forward until then. */
    long takenNs;

    PointMessage(Identity identity, long atNs, long frame, Endpoint source, Endpoint destination) {
        callId = identity.callId;
        what = identity.what;
        cseq = identity.cseq;
        isRequest = identity.isRequest;
        isHopByHop = identity.isHopByHop;
        hopKey = identity.hopKey;
        dialogKey = identity.dialogKey;
        this.atNs = atNs;
        lastNs = atNs;
        this.frame = frame;
        this.source = source;
        this.destination = destination;
    }

    /** What a message says of itself. */
    record Identity(
            String callId,
            String what,
            long cseq,
            boolean isRequest,
            boolean isHopByHop,
            long hopKey,
            long dialogKey) {}

    /** The first transmission, as if the clock of its capture had not been set meanwhile. */
    long clockNs() {
        return atNs - takenNs;
    }

    /** One hash of several. */
    static long mix(long... values) {
        long hash = 0;
        for (long value : values) {
            hash = (hash ^ value) * MIX;
            hash ^= hash >>> 32;
        }
        return hash;
    }
}
