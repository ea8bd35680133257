package io.offhook.calls.event;

import io.offhook.packet.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * Figures of a media stream that somebody else measured: a capture agent that reports statistics by HEP, or a phone
 * that publishes vq-rtcpxr (RFC 6035). Owns all its values.
 *
 * @param timestampNs when it was reported, nanoseconds since the epoch
 * @param frameNumber 1-based
 * @param callId Call-ID of the call that the reporter assigns the stream to; null if it named none
 * @param source the sender of the stream
 * @param destination the receiver of the stream
 * @param ssrc of the stream, 32 bits; -1 if unknown
 * @param figures what was measured
 */
public record MediaReport(
        long timestampNs,
        long frameNumber,
        @Nullable String callId,
        Endpoint source,
        Endpoint destination,
        long ssrc,
        Figures figures) {

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
        /** Nothing was measured: the report says only which call a stream belongs to. */
        public static final Figures NONE =
                new Figures(-1, -1, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

        /** Whether anything is known. */
        public boolean isKnown() {
            return packets >= 0
                    || lost >= 0
                    || !Double.isNaN(lossPercent)
                    || !Double.isNaN(jitterMs)
                    || !Double.isNaN(roundTripMs)
                    || !Double.isNaN(rFactor)
                    || !Double.isNaN(mos);
        }
    }
}
