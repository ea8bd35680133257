package io.offhook.calls.points;

import io.offhook.packet.Endpoint;

/**
 * A SIP message that a point has and another, which saw others of its dialog, lacks.
 *
 * @param callNumber of its call, as {@link PointsReport#calls} counts them from 1; 0 if it belongs to none
 * @param callId Call-ID, where it was seen
 * @param what the method, or status and method: "INVITE", "200 INVITE"
 * @param cseq the number in CSeq
 * @param seen where it was seen
 * @param missingAt the index of the capture that lacks it
 * @param way what is known of the order of the points
 * @param transmissions how often it was seen
 * @param missing how many of them the other point lacks
 */
public record LostMessage(
        int callNumber,
        String callId,
        String what,
        long cseq,
        Seen seen,
        int missingAt,
        Way way,
        int transmissions,
        int missing) {

    /**
     * Where a message was seen.
     *
     * @param point the index of the capture
     * @param frame the number of its packet, 1-based
     * @param atNs when, on the clock of that capture, nanoseconds since the epoch
     * @param source who sent it
     * @param destination who it was sent to
     */
    public record Seen(int point, long frame, long atNs, Endpoint source, Endpoint destination) {}

    /** What a missing message means. */
    public enum Way {
        /** It passed the point that has it first: it was lost between them. */
        LOST("lost"),
        /** It comes from the point that lacks it: that capture missed it, or a host between the points sent it. */
        NOT_CAPTURED("notCaptured"),
        /** The order of the points is not known. */
        UNKNOWN("unknown");

        private final String label;

        Way(String label) {
            this.label = label;
        }

        /** The name in JSON. */
        public String label() {
            return label;
        }
    }
}
