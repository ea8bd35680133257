package io.offhook.bench.lanes;

import io.offhook.analysis.Shards;

/** The times of the parts of one round on one lane, in nanoseconds. */
final class RoundTimes {
    /** For each batch: the time to find its frames, and to decode them. */
    final long[] scan;

    final long[] decode;
    /** TCP streams, all shards together: times of single shards are not visible from outside. */
    long streams;

    final long[] sip = new long[Shards.SIP];
    final long[] rtp = new long[Shards.RTP];
    /** Work during which all lanes wait: RTCP, ICMP, the end of the round. */
    long alone;

    RoundTimes(int batches) {
        scan = new long[batches];
        decode = new long[batches];
    }

    static long sum(long[] parts) {
        long sum = 0;
        for (long part : parts) {
            sum += part;
        }
        return sum;
    }

    long total() {
        return sum(scan) + sum(decode) + streams + sum(sip) + sum(rtp) + alone;
    }
}
