package io.offhook.analysis;

/**
 * What was counted on the way of the packets. Each lane has its own, added up at the end, so that the sums do not depend
 * on how many lanes there were.
 */
final class CaptureCounters {
    long packets;
    long capturedBytes;
    long snapped;
    long truncated;
    long malformed;
    long unsupported;
    long tooDeep;
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
        snapped += other.snapped;
        truncated += other.truncated;
        malformed += other.malformed;
        unsupported += other.unsupported;
        tooDeep += other.tooDeep;
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
