package io.offhook.report;

import io.offhook.calls.QualityOverTime;
import io.offhook.calls.RatedInterval;
import io.offhook.calls.StreamReport;
import io.offhook.report.fields.FieldWriter;
import io.offhook.rtp.BurstsAndGaps;
import io.offhook.rtp.LossBursts;
import io.offhook.rtp.PlayoutSummary;
import io.offhook.rtp.ReceptionInterval;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.StreamInterval;
import io.offhook.rtp.VoipMetrics;
import io.offhook.rtp.playout.Playout;
import io.offhook.rtp.playout.Resync;
import io.offhook.rtp.quality.CodecImpairment;
import io.offhook.rtp.quality.Quality;
import io.offhook.rtp.quality.Rating;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fields that say how a stream sounded: as it arrived, as it was played, and from time to time. */
final class QualityFields {
    private static final int MS_DECIMALS = 6;
    private static final int RATIO_DECIMALS = 4;
    private static final Resync[] RESYNCS = Resync.values();

    private QualityFields() {}

    /** Writes the rating by the loss of the network alone. */
    static void write(FieldWriter out, StreamReport stream) {
        rating(out, stream.rating());
        playout(out, stream);
        bursts(out, stream.statistics());
        overTime(out, stream.overTime());
    }

    /** Writes a MOS with its inputs, or the reason why there is none. */
    private static void rating(FieldWriter out, Rating rating) {
        if (rating instanceof Quality quality) {
            out.field("mos", quality.mos(), RATIO_DECIMALS)
                    .field("mosScale", quality.scale().label())
                    .field("rFactor", quality.rFactor(), RATIO_DECIMALS);
            inputs(out, quality);
        } else {
            out.nullField("mos").nullField("mosScale").nullField("rFactor").noObject("mosInputs");
        }
        out.field("mosMissing", rating instanceof Rating.Unrated unrated ? unrated.reason() : null);
    }

    private static void inputs(FieldWriter out, Quality quality) {
        CodecImpairment impairment = quality.impairment();
        out.object("mosInputs")
                .field("codec", quality.codec())
                .field("lossPercent", quality.lossPercent(), RATIO_DECIMALS)
                .field("burstRatio", quality.burstRatio(), RATIO_DECIMALS)
                .field("delayMs", quality.delayMs(), MS_DECIMALS)
                .field("delayMeasured", quality.delayMeasured())
                .field("ie", impairment.ie(), RATIO_DECIMALS)
                .field("bpl", impairment.bpl(), RATIO_DECIMALS)
                .field("basis", impairment.basis().label())
                .field("coding", impairment.coding())
                .field("note", impairment.note().isEmpty() ? null : impairment.note())
                .field("delayImpairment", quality.delayImpairment(), RATIO_DECIMALS)
                .field("effectiveImpairment", quality.effectiveImpairment(), RATIO_DECIMALS)
                .field("trusted", quality.trusted())
                .end();
    }

    private static void playout(FieldWriter out, StreamReport stream) {
        PlayoutSummary playout = stream.playout();
        Rating rating = stream.playoutRating();
        if (playout == null || rating == null) {
            out.noObject("playout").field("playoutMissing", stream.playoutMissing());
            return;
        }
        Playout buffer = playout.buffer();
        out.object("playout")
                .field("buffer", buffer.kind().name().toLowerCase(Locale.ROOT))
                .field("sizeMs", buffer.sizeMs(), MS_DECIMALS)
                .field("discarded", playout.discarded())
                .field("discardPercent", playout.discardPercent(), RATIO_DECIMALS);
        bursts(out, "discardBursts", playout.discardedBursts());
        bursts(out, "impairedBursts", playout.impairedBursts());
        out.field("burstRatio", playout.burstRatio(), RATIO_DECIMALS)
                .field("lossPercent", playout.lossPercent(), RATIO_DECIMALS)
                .field("meanDelayMs", buffer.meanDelayMs(), MS_DECIMALS)
                .field("maxDelayMs", buffer.maxDelayMs(), MS_DECIMALS)
                .object("resyncs");
        for (Resync reason : RESYNCS) {
            out.field(reason.name().toLowerCase(Locale.ROOT), buffer.resyncs(reason));
        }
        out.end().field("skewSteps", buffer.skewSteps());
        rating(out, rating);
        out.end().nullField("playoutMissing");
    }

    /** Writes a histogram of bursts. */
    static void bursts(FieldWriter out, String name, LossBursts bursts) {
        out.object(name)
                .field("count", bursts.bursts())
                .field("longest", bursts.longest())
                .field("meanLength", bursts.meanLength(), RATIO_DECIMALS);
        out.array("histogram");
        for (int i = 0; i < bursts.lengths(); i++) {
            out.object()
                    .field("length", bursts.length(i))
                    .field("count", bursts.count(i))
                    .end();
        }
        out.end().field("unlisted", bursts.unlisted()).end();
    }

    private static void bursts(FieldWriter out, RtpStream statistics) {
        BurstsAndGaps both = statistics.burstsAndGaps();
        double packetMs = statistics.packetTimeMs();
        out.object("bursts")
                .field("count", both.bursts())
                .field("lossPercent", both.burstLossPercent(), RATIO_DECIMALS)
                .field("meanMs", packetMs == 0 ? Double.NaN : both.meanBurstPackets() * packetMs, MS_DECIMALS)
                .end()
                .object("gaps")
                .field("lossPercent", both.gapLossPercent(), RATIO_DECIMALS)
                .field("meanMs", packetMs == 0 ? Double.NaN : both.meanGapPackets() * packetMs, MS_DECIMALS)
                .end();
    }

    private static void overTime(FieldWriter out, @Nullable QualityOverTime overTime) {
        if (overTime == null) {
            out.nullField("minMos")
                    .nullField("minMosAt")
                    .nullField("meanMos")
                    .nullField("below36Percent")
                    .nullField("below31Percent");
            return;
        }
        out.field("minMos", overTime.minMos(), RATIO_DECIMALS)
                .time("minMosAt", overTime.minAtNs())
                .field("meanMos", overTime.meanMos(), RATIO_DECIMALS)
                .field("below36Percent", overTime.below36Percent(), RATIO_DECIMALS)
                .field("below31Percent", overTime.below31Percent(), RATIO_DECIMALS);
    }

    /** Writes the intervals as an array, if they were asked for. */
    static void intervals(FieldWriter out, StreamReport stream) {
        if (stream.intervals().isEmpty()) {
            return;
        }
        out.array("intervals");
        for (RatedInterval rated : stream.intervals()) {
            out.object();
            interval(out, rated, stream.clockRate());
            out.end();
        }
        out.end();
    }

    private static void interval(FieldWriter out, RatedInterval rated, int clockRate) {
        StreamInterval interval = rated.interval();
        out.time("at", interval.startNs())
                .field("durationMs", interval.durationNs() / 1e6, MS_DECIMALS)
                .field("expected", interval.expected())
                .field("lost", interval.lost())
                .field("discarded", interval.discarded())
                .field("lossPercent", interval.impairedPercent(), RATIO_DECIMALS)
                .field("runs", interval.impairedRuns())
                .field("burstRatio", interval.burstRatio(), RATIO_DECIMALS);
        StreamInterval.Figures figures = interval.figures();
        if (figures != null) {
            out.field("packets", figures.packets())
                    .field("duplicates", figures.duplicates())
                    .field("reordered", figures.reordered())
                    .field("late", figures.late())
                    .field("strays", figures.strays())
                    .field("markers", figures.markers())
                    .field("jitterMs", figures.jitterMs(), MS_DECIMALS)
                    .field("meanJitterMs", figures.meanJitterMs(), MS_DECIMALS)
                    .field("maxJitterMs", figures.maxJitterMs(), MS_DECIMALS)
                    .field("maxDeltaMs", figures.maxDeltaMs(), MS_DECIMALS);
        }
        Quality quality = rated.rating() instanceof Quality rating ? rating : null;
        out.field("mos", quality == null ? Double.NaN : quality.mos(), RATIO_DECIMALS)
                .field("mosScale", quality == null ? null : quality.scale().label());
        farEnd(out, rated.farEnd(), clockRate);
    }

    private static void farEnd(FieldWriter out, @Nullable ReceptionInterval reported, int clockRate) {
        if (reported == null) {
            out.noObject("farEnd");
            return;
        }
        out.object("farEnd")
                .field("reports", reported.reports())
                .field("lostPercent", reported.lostPercent(), RATIO_DECIMALS)
                .field("jitterMs", reported.jitterMs(clockRate), MS_DECIMALS)
                .field("discardPercent", reported.discardPercent(), RATIO_DECIMALS)
                .field("mosListening", tenths(reported.mosLq()), RATIO_DECIMALS)
                .field("mosConversational", tenths(reported.mosCq()), RATIO_DECIMALS)
                .field("rFactor", available(reported.rFactor()), 0)
                .end();
    }

    private static double available(int value) {
        return value == VoipMetrics.UNAVAILABLE ? Double.NaN : value;
    }

    private static double tenths(int value) {
        return available(value) / 10;
    }
}
