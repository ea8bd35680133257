package io.offhook.bench.lanes;

import io.offhook.analysis.Shards;

/** What the parts of one round took on one lane, nanoseconds. */
final class RoundTimes {
    /** Of each batch: to find its frames, and to decode them. */
    final long[] scan;

    final long[] decode;
    /** TCP streams, all shards together: which of them took how long cannot be seen from outside. */
    long streams;

    final long[] sip = new long[Shards.SIP];
    final long[] rtp = new long[Shards.RTP];
    /** What is done while all lanes wait: RTCP, ICMP, the end of the round. */
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
