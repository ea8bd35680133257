package io.offhook.analysis.kept;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a call whose packets are wanted: its Call-IDs, connections and streams, each with its time, in nanoseconds
 * since the epoch. Not thread-safe; each method returns this.
 */
public final class KeptCall {
    /** RTCP begins before its media and ends after it by an interval or two (RFC 3550, 6.2). */
    private static final long RTCP_MARGIN_NS = 15_000_000_000L;

    private final List<Want> wants = new ArrayList<>();

    /**
     * Packets with a key, within a time.
     *
     * @param key folded
     */
    record Want(int key, long fromNs, long untilNs) {
        boolean overlaps(long firstNs, long lastNs) {
            return fromNs <= lastNs && untilNs >= firstNs;
        }
    }

    /** Nothing yet. */
    public KeptCall() {}

    /** Messages with a Call-ID, in datagrams. */
    public KeptCall messages(String callId, long fromNs, long untilNs) {
        return want(PacketKeys.message(SipMessageView.callIdHash(callId)), fromNs, untilNs);
    }

    /** All packets of a TCP connection. */
    public KeptCall connection(Endpoint one, Endpoint other, long fromNs, long untilNs) {
        return want(PacketKeys.connection(one, other), fromNs, untilNs);
    }

    /** A stream, with all RTCP between its hosts meanwhile. */
    public KeptCall stream(Endpoint source, Endpoint destination, long ssrc, long fromNs, long untilNs) {
        want(PacketKeys.stream(source, destination, ssrc), fromNs, untilNs);
        long earlierNs = fromNs - Math.min(fromNs, RTCP_MARGIN_NS);
        long laterNs = untilNs + Math.min(Long.MAX_VALUE - untilNs, RTCP_MARGIN_NS);
        return want(PacketKeys.rtcp(source, destination), earlierNs, laterNs);
    }

    /**
     * What may belong to any call, and is needed to read this one: fragments, TURN, handshakes of DTLS, SCTP, and ICMP errors.
     */
    public KeptCall others(long fromNs, long untilNs) {
        return want(PacketKeys.OTHERS, fromNs, untilNs);
    }

    private KeptCall want(long key, long fromNs, long untilNs) {
        wants.add(new Want(PacketKeys.folded(key), fromNs, untilNs));
        return this;
    }

    List<Want> wants() {
        return wants;
    }
}
