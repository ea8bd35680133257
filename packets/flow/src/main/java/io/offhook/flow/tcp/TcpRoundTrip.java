package io.offhook.flow.tcp;

import io.offhook.flow.state.SequenceNumbers;
import org.jspecify.annotations.Nullable;

/**
 * Round trips between TCP segments and their acknowledgments, as seen at the place of capture. By acknowledgments, a
 * sample lasts from a segment to the acknowledgment of exactly its end. Retransmitted segments are excluded (Karn's
 * algorithm, RFC 6298, 3), because it is unknown which transmission was acknowledged. By timestamps (RFC 7323, 3), a
 * sample lasts to the first segment that echoes the timestamp. Delayed acknowledgments count with their delay.
 *
 * <p>At most {@value #PENDING} segments wait for their acknowledgment; others are not measured. Neither is an answer
 * with an earlier timestamp than its segment. Times are in nanoseconds.
 */
public final class TcpRoundTrip {
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

    TcpRoundTrip() {}

    /** The number of samples; if it is 0, the other values are 0. */
    public long samples() {
        return samples;
    }

    /** The shortest round trip, in nanoseconds. */
    public long minNs() {
        return minNs;
    }

    /** The longest round trip, in nanoseconds. */
    public long maxNs() {
        return maxNs;
    }

    /** The mean round trip, in nanoseconds. */
    public long meanNs() {
        return samples == 0 ? 0 : sumNs / samples;
    }

    /** The last round trip, in nanoseconds. */
    public long lastNs() {
        return lastNs;
    }

    /** The smoothed round trip (SRTT of RFC 6298, 2), in nanoseconds: each new sample has a weight of one eighth. */
    public long smoothedNs() {
        return Math.round(smoothedNs);
    }

    /** Notes that data, SYN or FIN was sent; {@code next} is the sequence number expected before it. */
    void sent(int sequence, int end, long timestampNs, int next) {
        if (SequenceNumbers.difference(sequence, next) < 0) {
            forget(sequence);
        } else {
            await(end, timestampNs);
        }
    }

    /** Notes that a segment was sent with this timestamp; only the first segment with a timestamp counts. */
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

    /** Drops segments from this number on, because they were retransmitted. */
    private void forget(int sequence) {
        int[] ends = this.ends;
        while (ends != null && pending > 0 && SequenceNumbers.difference(ends[pending - 1], sequence) > 0) {
            pending--;
        }
    }

    /** Completes the sample of this number or timestamp, and drops those before it, which can no longer be answered. */
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

    /** Releases the memory for pending segments; no further segment may be reported. */
    public void letGo() {
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

    /** For example "12 round trips, 0.8 to 3.1 ms". */
    @Override
    public String toString() {
        return samples + " round trips, " + minNs / 1e6 + " to " + maxNs / 1e6 + " ms";
    }
}
