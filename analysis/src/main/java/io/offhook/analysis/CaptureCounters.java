package io.offhook.analysis;

/**
 * What was counted on the way of the packets. Each lane has its own, added up at the end, so that the sums do not depend
 * on how many lanes there were.
 */
final class CaptureCounters {
    long packets;
    long capturedBytes;
    long wireBytes;
    long snapped;
    long truncated;
    long malformed;
    long unsupported;
    long tooDeep;
    long fragments;
    long udp;
    long tcp;
    long sctp;
    long icmp;
    long arp;
    long otherTransport;
    long stun;
    long rtpLike;
    long rtcp;
    long udpUnknown;

    /** The first packet of each kind of trouble, for the reader of the report; 0 where there was none. */
    long firstTruncated;

    long firstMalformed;
    long firstUnsupported;

    void add(CaptureCounters other) {
        packets += other.packets;
        capturedBytes += other.capturedBytes;
        wireBytes += other.wireBytes;
        snapped += other.snapped;
        truncated += other.truncated;
        malformed += other.malformed;
        unsupported += other.unsupported;
        tooDeep += other.tooDeep;
        fragments += other.fragments;
        udp += other.udp;
        tcp += other.tcp;
        sctp += other.sctp;
        icmp += other.icmp;
        arp += other.arp;
        otherTransport += other.otherTransport;
        stun += other.stun;
        rtpLike += other.rtpLike;
        rtcp += other.rtcp;
        udpUnknown += other.udpUnknown;
        firstTruncated = first(firstTruncated, other.firstTruncated);
        firstMalformed = first(firstMalformed, other.firstMalformed);
        firstUnsupported = first(firstUnsupported, other.firstUnsupported);
    }

    private static long first(long a, long b) {
        return a == 0 || b != 0 && b < a ? b : a;
    }
}
