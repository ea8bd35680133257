package io.offhook.calls.points;

/**
 * When a capture ran, on a clock that it shares with another one. What one point had while the other captured must
 * have been there, too; what it had before or after says nothing.
 *
 * @param fromNs the first packet of the capture, of whatever kind, nanoseconds since the epoch
 * @param untilNs the last packet
 */
record CaptureWindow(long fromNs, long untilNs) {
    /** Nothing but what both points have is known to be captured at both. */
    static final CaptureWindow UNKNOWN = new CaptureWindow(Long.MAX_VALUE, Long.MIN_VALUE);

    /** The same window at another point, which packets pass so much later, without a margin at both ends. */
    CaptureWindow shifted(long delayNs, long marginNs) {
        return fromNs > untilNs ? this : new CaptureWindow(fromNs + delayNs + marginNs, untilNs + delayNs - marginNs);
    }

    boolean contains(long ns) {
        return ns >= fromNs && ns <= untilNs;
    }
}
