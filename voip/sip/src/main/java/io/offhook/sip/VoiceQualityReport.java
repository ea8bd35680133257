package io.offhook.sip;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A voice quality report (RFC 6035): what a phone measured of a call, in the body of a PUBLISH or NOTIFY, with the type
 * {@code application/vq-rtcpxr}.
 *
 * <pre>
 * VQSessionReport: CallTerm
 * CallID: 6dg37f1890463
 * LocalID: Alice &lt;sip:alice@example.org&gt;
 * LocalMetrics:
 * PacketLoss:NLR=5.0 JDR=2.0
 * Delay:RTD=200 ESD=140 IAJ=2 MAJ=10
 * QualityEst:MOSLQ=4.2 MOSCQ=4.3
 * RemoteMetrics:
 * ...
 * </pre>
 *
 * @param callId of the call that it is about, not of the message
 * @param kind how the report came about
 * @param local what the sender received
 * @param remote what the sender was told that the other side received, by RTCP XR; null if it does not say
 */
public record VoiceQualityReport(
        String callId, Kind kind, Metrics local, @Nullable Metrics remote) {
    private static final String TYPE = "application/vq-rtcpxr";
    private static final int MAX_BODY = 16_384;

    /** The occasion of a report (RFC 6035, 4.6.1). */
    public enum Kind {
        /** At the end of the call, or of its media. */
        SESSION,
        /** In its course. */
        INTERVAL,
        /** A threshold was crossed. */
        ALERT
    }

    /**
     * Figures; NaN for those that are not stated. Ranges are those of RFC 3611, 4.7, and RFC 6035, 4.6.2.
     *
     * @param lossPercent packets lost in the network, 0 to 100 (NLR)
     * @param discardPercent packets that the jitter buffer discarded, 0 to 100 (JDR)
     * @param burstPercent packets lost or discarded within bursts, 0 to 100 (BLD)
     * @param gapPercent likewise between bursts (GLD)
     * @param roundTripMs (RTD)
     * @param endSystemMs the delay of the phone itself (ESD)
     * @param jitterMs interarrival jitter (IAJ)
     * @param maxJitterMs mean absolute jitter (MAJ)
     * @param rLq the R factor for listening, 0 to 120 (RLQ)
     * @param mosLq the MOS for listening, 1 to 5 (MOSLQ)
     * @param mosCq the MOS for conversation, 1 to 5 (MOSCQ)
     */
    public record Metrics(
            double lossPercent,
            double discardPercent,
            double burstPercent,
            double gapPercent,
            double roundTripMs,
            double endSystemMs,
            double jitterMs,
            double maxJitterMs,
            double rLq,
            double mosLq,
            double mosCq) {

        private static Metrics of(Map<String, String> values) {
            return new Metrics(
                    number(values, "NLR", 100),
                    number(values, "JDR", 100),
                    number(values, "BLD", 100),
                    number(values, "GLD", 100),
                    number(values, "RTD", 65_535),
                    number(values, "ESD", 65_535),
                    number(values, "IAJ", 65_535),
                    number(values, "MAJ", 65_535),
                    number(values, "RLQ", 120),
                    number(values, "MOSLQ", 5),
                    number(values, "MOSCQ", 5));
        }

        /**
         * What others than phones measure: NaN for what is not known.
         *
         * @param lossPercent lost packets, 0 to 100
         * @param roundTripMs from one end to the other and back
         * @param jitterMs interarrival jitter
         * @param rLq R factor of listening quality, 0 to 120
         * @param mosLq MOS of listening quality, 1 to 5
         */
        public static Metrics ofNetwork(
                double lossPercent, double roundTripMs, double jitterMs, double rLq, double mosLq) {
            double none = Double.NaN;
            return new Metrics(lossPercent, none, none, none, roundTripMs, none, jitterMs, none, rLq, mosLq, none);
        }

        /** 127 and the like stand for "unavailable" (RFC 3611, 4.7.5). */
        private static double number(Map<String, String> values, String name, double most) {
            String text = values.getOrDefault(name, "");
            double value = text.matches("[0-9]{1,5}(\\.[0-9]{1,4})?") ? Double.parseDouble(text) : Double.NaN;
            return value <= most ? value : Double.NaN;
        }
    }

    /**
     * The report of a message.
     *
     * @param message of any kind
     * @return null if it carries none, or it does not name its call
     */
    public static @Nullable VoiceQualityReport of(SipMessageView message) {
        SipMethod method = message.method();
        boolean isCarrier = message.isRequest() && (method == SipMethod.PUBLISH || method == SipMethod.NOTIFY);
        if (!isCarrier || message.bodyLength() > MAX_BODY) {
            return null;
        }
        String type = SipMultipart.mediaType(message.contentType()).toLowerCase(Locale.ROOT);
        return type.equals(TYPE)
                ? read(new String(message.octets(), message.bodyOffset(), message.bodyLength(), StandardCharsets.UTF_8))
                : null;
    }

    /**
     * The report of a body alone, as agents send it without the message.
     *
     * @return null if it does not begin as a report does, or does not name its call
     */
    public static @Nullable VoiceQualityReport ofBody(String body) {
        boolean isReport = body.regionMatches(true, 0, "VQSessionReport", 0, 15)
                || body.regionMatches(true, 0, "VQIntervalReport", 0, 16)
                || body.regionMatches(true, 0, "VQAlertReport", 0, 13);
        return isReport && body.length() <= MAX_BODY ? read(body) : null;
    }

    private static @Nullable VoiceQualityReport read(String body) {
        Map<String, String> local = new HashMap<>();
        Map<String, String> remote = new HashMap<>();
        Map<String, String> into = local;
        String callId = "";
        Kind kind = Kind.SESSION;
        for (String line : body.split("\r\n|\r|\n", -1)) {
            int colon = line.indexOf(':');
            String name = (colon < 0 ? line : line.substring(0, colon)).strip();
            String value = colon < 0 ? "" : line.substring(colon + 1).strip();
            switch (name.toLowerCase(Locale.ROOT)) {
                case "vqintervalreport" -> kind = Kind.INTERVAL;
                case "vqalertreport" -> kind = Kind.ALERT;
                case "callid" -> callId = value;
                case "localmetrics" -> into = local;
                case "remotemetrics" -> into = remote;
                default -> values(value, into);
            }
        }
        return callId.isEmpty()
                ? null
                : new VoiceQualityReport(callId, kind, Metrics.of(local), remote.isEmpty() ? null : Metrics.of(remote));
    }

    private static void values(String line, Map<String, String> into) {
        for (String word : line.split(" +", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                into.putIfAbsent(word.substring(0, equals).toUpperCase(Locale.ROOT), word.substring(equals + 1));
            }
        }
    }
}
