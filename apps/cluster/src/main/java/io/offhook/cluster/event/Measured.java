package io.offhook.cluster.event;

import io.offhook.packet.Endpoint;

/**
 * Figures of a stream that somebody else measured: an agent that reports by HEP, or a phone (RFC 6035).
 *
 * @param callId of the call that the reporter assigns the stream to; empty if it names none
 * @param source the sender of the stream
 * @param destination the receiver of the stream
 * @param ssrc of the stream, 32 bits; -1 if unknown
 * @param figures what was measured
 * @param frame of the packet with the report, counted by the probe
 * @param unknown what this release does not know of it
 */
public record Measured(
        String callId, Endpoint source, Endpoint destination, long ssrc, Figures figures, long frame, Octets unknown)
        implements EventBody {
    /** Checks sizes and ranges. */
    public Measured {
        Limits.text("call_id", callId, Limits.TEXT);
        Limits.range("ssrc", ssrc, -1, 0xffff_ffffL);
        Limits.count("frame", frame);
    }

    /**
     * What was measured since the stream began. {@link Double#NaN} and -1 stand for unknown values.
     *
     * @param packets received
     * @param lost expected and not received
     * @param lossPercent of those expected, 0 to 100
     * @param jitterMs interarrival jitter (RFC 3550, 6.4.1)
     * @param roundTripMs from the sender to the receiver and back
     * @param rFactor 0 to 100
     * @param mos listening quality, 1 to 5
     */
    public record Figures(
            long packets,
            long lost,
            double lossPercent,
            double jitterMs,
            double roundTripMs,
            double rFactor,
            double mos) {
        /** Checks the counts; the others are as the reporter has them. */
        public Figures {
            Limits.range("packets", packets, -1, Long.MAX_VALUE);
            Limits.range("lost", lost, -1, Long.MAX_VALUE);
        }
    }
}
