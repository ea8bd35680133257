package io.offhook.testkit.truth;

/**
 * What one end of a call reported by RTCP about the stream that it received.
 *
 * @param callId of the call
 * @param reporter who said it
 * @param reporterSsrc of the reports
 * @param subjectSsrc the stream that they are about
 * @param compounds RTCP packets captured from the reporter, copies not counted
 * @param reports report blocks among them
 * @param fractionLost of the last report, 1/256
 * @param cumulativeLost of the last report
 * @param jitter of the last report, in timestamp units
 * @param jitterMs the same in milliseconds
 * @param reporterRoundTripNs from the tap to the reporter and back: captured report - captured sender report - DLSR
 * @param roundTripNs from end to end and back: what the subject computes when the report arrives
 * @param extended whether XR blocks with VoIP metrics are among them, with the same loss and round trip
 */
public record RtcpTruth(
        String callId,
        Party reporter,
        long reporterSsrc,
        long subjectSsrc,
        int compounds,
        int reports,
        int fractionLost,
        int cumulativeLost,
        long jitter,
        double jitterMs,
        long reporterRoundTripNs,
        long roundTripNs,
        boolean extended) {}
