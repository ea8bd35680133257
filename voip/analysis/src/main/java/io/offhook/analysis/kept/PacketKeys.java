package io.offhook.analysis.kept;

import io.offhook.flow.FlowHash;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.RtpRows;

/**
 * By what a packet is found again: 64 bits, of which an index keeps 32. Two things that share a key cost only time, since what
 * is found is analysed again.
 */
final class PacketKeys {
    /**
     * What may belong to any call, and is rare: fragments, STUN and TURN (without which relayed media cannot be read), handshakes
     * of DTLS, SCTP, ICMP errors, reports of agents.
     */
    static final long OTHERS = 1;

    private static final long CALL_ID = 0x5851_f42d_4c95_7f2dL;
    private static final int TCP = 6;

    /** No number of an IP protocol that media uses. */
    private static final int RTCP = 255;

    private PacketKeys() {}

    /** Of a message, by {@link io.offhook.calls.event.SipPacket#callIdHash()}. */
    static long message(long callIdHash) {
        return FlowHash.mix(callIdHash ^ CALL_ID);
    }

    /** Of a TCP connection: the hash that {@link io.offhook.analysis.DecodedFrame#hash} has, in both directions. */
    static long connection(Endpoint a, Endpoint b) {
        return FlowHash.of(a.high(), a.low(), a.port(), b.high(), b.low(), b.port(), TCP);
    }

    /** Of RTCP between two hosts, in both directions: SDP may name any port for it (RFC 3605). */
    static long rtcp(Endpoint a, Endpoint b) {
        return FlowHash.of(a.high(), a.low(), 0, b.high(), b.low(), 0, RTCP);
    }

    /** Of a stream: the hash that {@link RtpRows#hash(int)} has. */
    static long stream(Endpoint source, Endpoint destination, long ssrc) {
        return RtpRows.hash(source, destination, ssrc);
    }

    /** What an index keeps of a key. */
    static int folded(long key) {
        return (int) (key ^ key >>> 32);
    }
}
