package io.offhook.cluster.event;

/**
 * Names a stream in all events of one incarnation of a probe.
 *
 * @param hash of both endpoints and the SSRC, the same at all probes
 * @param ordinal 0 for the first stream with these, 1 for the next
 */
public record StreamId(long hash, int ordinal) {
    /** Checks the number. */
    public StreamId {
        Limits.range("ordinal", ordinal, 0, Integer.MAX_VALUE);
    }
}
