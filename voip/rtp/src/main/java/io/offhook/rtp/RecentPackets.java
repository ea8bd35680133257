package io.offhook.rtp;

/**
 * Fingerprints and arrival times of the last {@value #SIZE} packets of a stream, to recognise repeated deliveries.
 * Created when a stream has its first duplicate.
 */
final class RecentPackets {
    static final int SIZE = 8;

    private final long[] fingerprint = new long[SIZE];
    private final long[] arrivalNs = new long[SIZE];
    private int next;
    private int count;

    /** Equal for equal packets; for different packets with the same sequence number, equal with probability 2^-64. */
    static long fingerprint(
            int sequenceNumber,
            int timestamp,
            int payloadType,
            boolean marker,
            int payloadLength,
            long payloadHead,
            int ipIdentification) {
        long header = (long) timestamp << 32 | (long) sequenceNumber << 16 | ipIdentification & 0xffff;
        long sizes = (long) payloadLength << 8 | (marker ? 0x80 : 0) | payloadType;
        long mixed = (header ^ sizes * 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
        return (mixed ^ mixed >>> 32 ^ payloadHead) * 0x94d049bb133111ebL;
    }

    void add(long fingerprint, long arrivalNs) {
        this.fingerprint[next] = fingerprint;
        this.arrivalNs[next] = arrivalNs;
        next = next + 1 & SIZE - 1;
        count = Math.min(count + 1, SIZE);
    }

    boolean contains(long fingerprint, long arrivalNs, long withinNs) {
        for (int i = 0; i < count; i++) {
            if (this.fingerprint[i] == fingerprint && Math.abs(arrivalNs - this.arrivalNs[i]) <= withinNs) {
                return true;
            }
        }
        return false;
    }
}
