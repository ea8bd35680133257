package io.offhook.report;

import io.offhook.calls.CallReport;
import io.offhook.calls.FarEnd;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.report.fields.FieldWriter;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.WiresharkStream;
import io.offhook.rtp.quality.MosScale;
import io.offhook.rtp.quality.Quality;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The fields of an RTP stream, as docs/OUTPUT.md lists them. */
public final class StreamFields {
    private static final int MS_DECIMALS = 6;
    private static final int RATIO_DECIMALS = 4;
    private static final MosScale[] SCALES = MosScale.values();
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private StreamFields() {}

    /** Writes all fields into the open object: identity, counts, times, quality. */
    public static void write(FieldWriter out, StreamReport stream) {
        identity(out, stream);
        media(out, stream);
        RtpStream statistics = stream.statistics();
        counts(out, statistics);
        timing(out, statistics);
        bursts(out, statistics);
        QualityFields.write(out, stream);
        farEnd(out, stream.farEnd());
    }

    /** Writes all fields and those of its intervals, which CSV has no room for. */
    public static void writeJson(FieldWriter out, StreamReport stream) {
        write(out, stream);
        writeIntervals(out, stream);
    }

    /** Writes the array of its intervals. */
    public static void writeIntervals(FieldWriter out, StreamReport stream) {
        QualityFields.intervals(out, stream);
    }

    /** "0x1A2B3C4D". */
    public static String ssrc(StreamReport stream) {
        return ssrc(stream.ssrc());
    }

    /** "0x1A2B3C4D", of the lowest 32 bits. */
    public static String ssrc(long ssrc) {
        return "0x" + HEX.toHexDigits(ssrc, 8);
    }

    /** "from caller", "from callee", or null for a stream of no call. */
    public static @Nullable String direction(StreamReport stream) {
        Side from = stream.from();
        return from == null ? null : "from " + from.label();
    }

    /** Writes the identity of a stream; callers that list streams by themselves add {@code callId}. */
    private static void identity(FieldWriter out, StreamReport stream) {
        out.field("ssrc", ssrc(stream))
                .field("direction", direction(stream))
                .field("source", stream.source().toString())
                .field("destination", stream.destination().toString());
    }

    private static void media(FieldWriter out, StreamReport stream) {
        RtpStream statistics = stream.statistics();
        out.field("mediaType", stream.mediaType()).field("codec", stream.codec());
        positive(out, "clockRate", stream.clockRate());
        if (stream.payloadType() < 0) {
            out.nullField("payloadType");
        } else {
            out.field("payloadType", stream.payloadType());
        }
        out.array("payloads");
        for (PayloadCount payload : statistics.payloads()) {
            out.object()
                    .field("payloadType", payload.payloadType())
                    .field(
                            "codec",
                            payload.codec() == null ? null : payload.codec().encodingName())
                    .field("packets", payload.packets())
                    .end();
        }
        out.end();
        out.field("encrypted", stream.isEncrypted())
                .field("digits", stream.digits())
                .field("audioDigits", stream.audioDigits())
                .field("firstFrame", stream.firstFrame())
                .time("firstAt", statistics.firstNs())
                .time("lastAt", statistics.lastNs());
    }

    private static void positive(FieldWriter out, String name, long value) {
        if (value > 0) {
            out.field(name, value);
        } else {
            out.nullField(name);
        }
    }

    private static void counts(FieldWriter out, RtpStream statistics) {
        out.field("packets", statistics.packets())
                .field("payloadBytes", statistics.payloadOctets())
                .field("expected", statistics.expected())
                .field("lost", statistics.lost())
                .field("lostPercent", statistics.lostPercent(), RATIO_DECIMALS)
                .field("duplicates", statistics.duplicates())
                .field("mirrored", statistics.mirrored())
                .field("reordered", statistics.reordered())
                .field("late", statistics.late())
                .field("strays", statistics.strays())
                .field("restarts", statistics.restarts())
                .field("markers", statistics.markers())
                .field("comfortNoise", statistics.comfortNoisePackets());
        out.object("rfc3550")
                .field("cumulativeLost", statistics.cumulativeLost())
                .field("fractionLost", statistics.fractionLost());
        fraction(out, "lastIntervalFractionLost", statistics.intervalFractionLost());
        fraction(out, "maxIntervalFractionLost", statistics.maxIntervalFractionLost());
        out.end();
    }

    private static void fraction(FieldWriter out, String name, int fraction) {
        if (fraction < 0) {
            out.nullField(name);
        } else {
            out.field(name, fraction);
        }
    }

    private static void timing(FieldWriter out, RtpStream statistics) {
        out.field("minDeltaMs", statistics.minDeltaMs(), MS_DECIMALS)
                .field("meanDeltaMs", statistics.meanDeltaMs(), MS_DECIMALS)
                .field("maxDeltaMs", statistics.maxDeltaMs(), MS_DECIMALS);
        boolean known = statistics.isJitterKnown();
        out.field("jitterMs", known ? statistics.jitterMs() : Double.NaN, MS_DECIMALS)
                .field("meanJitterMs", known ? statistics.meanJitterMs() : Double.NaN, MS_DECIMALS)
                .field("maxJitterMs", known ? statistics.maxJitterMs() : Double.NaN, MS_DECIMALS)
                .field("skewMs", known ? statistics.skewMs() : Double.NaN, MS_DECIMALS)
                .field("timestampJumps", statistics.timestampJumps())
                .field("untimedPackets", statistics.untimedPackets());
    }

    private static void bursts(FieldWriter out, RtpStream statistics) {
        QualityFields.bursts(out, "lossBursts", statistics.lossBursts());
        out.field("burstRatio", statistics.burstRatio(), RATIO_DECIMALS);
    }

    private static void farEnd(FieldWriter out, @Nullable FarEnd far) {
        if (far == null) {
            out.noObject("farEnd");
            return;
        }
        out.object("farEnd")
                .field("reports", far.reports())
                .field("cumulativeLost", far.cumulativeLost())
                .field("lostPercent", far.lostPercent(), RATIO_DECIMALS)
                .field("maxLostPercent", far.maxLostPercent(), RATIO_DECIMALS)
                .field("jitterMs", far.jitterMs(), MS_DECIMALS)
                .field("maxJitterMs", far.maxJitterMs(), MS_DECIMALS)
                .field("roundTripMs", far.roundTripMs(), MS_DECIMALS)
                .field("mosListening", far.mosListening(), RATIO_DECIMALS)
                .field("mosConversational", far.mosConversational(), RATIO_DECIMALS)
                .field("rFactor", far.rFactor() < 0 ? Double.NaN : far.rFactor(), 0)
                .end();
    }

    /** Writes Wireshark's figures instead of our own. */
    public static void writeWireshark(FieldWriter out, StreamReport stream, WiresharkStream figures) {
        identity(out, stream);
        media(out, stream);
        out.field("packets", figures.packets())
                .field("expected", figures.expected())
                .field("lost", figures.lost())
                .field("lostPercent", figures.lostPercent(), RATIO_DECIMALS)
                .field("sequenceErrors", figures.sequenceErrors())
                .field("minDeltaMs", figures.minDeltaMs(), MS_DECIMALS)
                .field("meanDeltaMs", figures.meanDeltaMs(), MS_DECIMALS)
                .field("maxDeltaMs", figures.maxDeltaMs(), MS_DECIMALS)
                .field("minJitterMs", figures.minJitterMs(), MS_DECIMALS)
                .field("meanJitterMs", figures.meanJitterMs(), MS_DECIMALS)
                .field("maxJitterMs", figures.maxJitterMs(), MS_DECIMALS)
                .field("skewMs", figures.skewMs(), MS_DECIMALS)
                .field("maxSkewMs", figures.maxSkewMs(), MS_DECIMALS)
                .field("clockDriftMs", figures.clockDriftMs(), MS_DECIMALS)
                .field("bandwidthKbps", figures.bandwidthKbps(), MS_DECIMALS);
    }

    /** The lowest quality of a call's streams on the narrowband scale, else on another; null if no stream has a MOS. */
    public static @Nullable Quality worstQuality(CallReport call) {
        for (MosScale scale : SCALES) {
            Quality worst = worstQuality(call, scale);
            if (worst != null) {
                return worst;
            }
        }
        return null;
    }

    /** The lowest quality of a call's streams on a scale; null if no stream has a MOS on it. */
    public static @Nullable Quality worstQuality(CallReport call, MosScale scale) {
        Quality worst = null;
        for (StreamReport stream : call.streams()) {
            Quality quality = stream.quality();
            if (quality != null && quality.scale() == scale && (worst == null || quality.mos() < worst.mos())) {
                worst = quality;
            }
        }
        return worst;
    }
}
