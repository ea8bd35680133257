package io.offhook.cluster.event;

/**
 * A stream ended: the last of its events.
 *
 * @param stream its name
 * @param why it ended
 * @param unknown what this release does not know of it
 */
public record StreamEnd(StreamId stream, Why why, Octets unknown) implements EventBody {
    /** Why a stream ended. */
    public enum Why {
        /** Unknown, or unknown to this release. */
        UNSPECIFIED,
        /** No packet came for a time. */
        SILENT,
        /** Another stream with the same endpoints and SSRC began. */
        REPLACED,
        /** The probe had no room for it. */
        EVICTED,
        /** The probe was stopped. */
        PROBE_STOPPED
    }
}
