package io.offhook.calls;

/** Why audio paused or stopped, as far as the capture shows. */
public enum AudioCause {
    /** The receiver reported that it got more: the capture lost the packets. */
    CAPTURE,
    /** The streams of several calls ended at once while signalling went on: the capture lost the packets. */
    MANY_CALLS,
    /** Numbers are missing: packets were lost on their way to the place of capture. */
    LOST,
    /** The sender reported that it sent more: packets were lost before the place of capture. */
    LOST_BEFORE_CAPTURE,
    /** An ICMP error says that the packets did not reach their destination. */
    ICMP,
    /** The sender reported that it sent nothing: muted without comfort noise. */
    SILENT,
    /** The sender suppresses silence, or its clock stood: the numbers go on. */
    SUPPRESSED,
    /** Nothing explains it: the sender stopped. */
    STOPPED;

    /** Whether the capture is to blame, and not the call. */
    boolean isCaptures() {
        return this == CAPTURE || this == MANY_CALLS;
    }
}
