package io.offhook.flow;

import org.jspecify.annotations.Nullable;

/**
 * Round trips of TCP segments and their acknowledgments, as seen at the place of capture: from a segment that passed there
 * to what answers it. By acknowledgments that is the acknowledgment of exactly its end; segments that were sent again are
 * left out (Karn's algorithm, RFC 6298, 3), as nobody knows which of them is acknowledged. By timestamps (RFC 7323, 3) it
 * is the first segment that echoes the one it was sent with. An acknowledgment that was delayed counts with its delay.
 *
 * <p>At most {@value #PENDING} segments wait for theirs; further ones are not measured, nor is an answer whose time lies
 * before that of its question. Times are nanoseconds.
 */
public final class RoundTrip {
    static final int PENDING = 16;

    private long samples;
    private long sumNs;
    private long minNs;
    private long maxNs;
    private long lastNs;
    private double smoothedNs;

    private int @Nullable [] ends;
    private long @Nullable [] sentNs;
    private int pending;
    private boolean isStamped;
    private int lastStamp;

    RoundTrip() {}

    /** How many were measured; without any, the others are 0. */
    public long samples() {
        return samples;
    }

    /** The shortest, in nanoseconds. */
    public long minNs() {
        return minNs;
    }

    /** The longest, in nanoseconds. */
    public long maxNs() {
        return maxNs;
    }

    /** The mean, in nanoseconds. */
    public long meanNs() {
        return samples == 0 ? 0 : sumNs / samples;
    }

    /** The last one, in nanoseconds. */
    public long lastNs() {
        return lastNs;
    }

    /** SRTT of RFC 6298, 2: each new one counts for an eighth. */
    public long smoothedNs() {
        return Math.round(smoothedNs);
    }

    /** Data, SYN or FIN was sent; {@code next} is what was to come. */
    void sent(int sequence, int end, long timestampNs, int next) {
        if (SequenceNumbers.difference(sequence, next) < 0) {
            forget(sequence);
        } else {
            await(end, timestampNs);
        }
    }

    /** Something was sent with that timestamp; only the first of those that have it counts. */
    void stamped(int stamp, long timestampNs) {
        if (!isStamped || SequenceNumbers.difference(stamp, lastStamp) > 0) {
            isStamped = true;
            lastStamp = stamp;
            await(stamp, timestampNs);
        }
    }

    private void await(int answer, long timestampNs) {
        if (pending < PENDING) {
            if (ends == null || sentNs == null) {
                ends = new int[PENDING];
                sentNs = new long[PENDING];
            }
            ends[pending] = answer;
            sentNs[pending++] = timestampNs;
        }
    }

    /** Numbers from here on were sent again. */
    private void forget(int sequence) {
        int[] ends = this.ends;
        while (ends != null && pending > 0 && SequenceNumbers.difference(ends[pending - 1], sequence) > 0) {
            pending--;
        }
    }

    /** The number, or the timestamp, comes back; those before it do not come any more. */
    void acknowledged(int acknowledgment, long timestampNs) {
        int[] ends = this.ends;
        long[] sentNs = this.sentNs;
        if (ends == null || sentNs == null) {
            return;
        }
        int done = 0;
        while (done < pending && SequenceNumbers.difference(ends[done], acknowledgment) <= 0) {
            if (ends[done] == acknowledgment && timestampNs >= sentNs[done]) {
                sample(timestampNs - sentNs[done]);
            }
            done++;
        }
        if (done > 0) {
            pending -= done;
            System.arraycopy(ends, done, ends, 0, pending);
            System.arraycopy(sentNs, done, sentNs, 0, pending);
        }
    }

    /** Nothing more comes. */
    void letGo() {
        ends = null;
        sentNs = null;
        pending = 0;
    }

    private void sample(long ns) {
        minNs = samples == 0 ? ns : Math.min(minNs, ns);
        maxNs = Math.max(maxNs, ns);
        smoothedNs = samples == 0 ? ns : smoothedNs + (ns - smoothedNs) / 8;
        samples++;
        sumNs += ns;
        lastNs = ns;
    }

    /** "12 round trips, 0.8 to 3.1 ms". */
    @Override
    public String toString() {
        return samples + " round trips, " + minNs / 1e6 + " to " + maxNs / 1e6 + " ms";
    }
}
