package io.offhook.rtp;

/**
 * Fingerprints and arrival times of the last {@value #SIZE} packets of a stream, to know a second delivery of one of them.
 * Exists only once a stream had a duplicate.
 */
final class RecentPackets {
    static final int SIZE = 8;

    private final long[] fingerprint = new long[SIZE];
    private final long[] arrivalNs = new long[SIZE];
    private int next;
    private int count;

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
