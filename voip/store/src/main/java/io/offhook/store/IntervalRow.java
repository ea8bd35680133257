package io.offhook.store;

import io.offhook.calls.RatedInterval;
import io.offhook.rtp.ReceptionInterval;
import io.offhook.rtp.StreamInterval.Figures;
import io.offhook.rtp.quality.Quality;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A row of the table of intervals.
 *
 * @param stream the stream's id
 * @param call the call's id
 * @param callNs when the call was first seen
 * @param clockRate of the stream, Hz; 0 if it is not known
 */
record IntervalRow(long stream, long call, long callNs, RatedInterval rated, int clockRate) {
    static final Table<IntervalRow> TABLE = new Table<>(
            "stream_intervals",
            "Five seconds of a stream.",
            new Table.Key("call", "call_at"),
            List.of(
                    Column.whole("stream", "`id` of the stream.", IntervalRow::stream),
                    Column.whole("call", "`id` of the call.", IntervalRow::call),
                    Column.time(
                            "began_at",
                            "Its beginning.",
                            row -> row.rated.interval().startNs()),
                    Column.real(
                            "duration_ms",
                            "Its length, ms.",
                            row -> row.rated.interval().durationNs() / 1e6),
                    Column.whole(
                            "expected",
                            "Packets expected.",
                            row -> row.rated.interval().expected()),
                    Column.whole(
                            "lost",
                            "Of these, not captured.",
                            row -> row.rated.interval().lost()),
                    Column.whole(
                            "discarded",
                            "Of these, too late for the jitter buffer.",
                            row -> row.rated.interval().discarded()),
                    Column.real(
                            "loss_percent",
                            "Both of `expected`, 0 to 100.",
                            row -> row.rated.interval().impairedPercent()),
                    Column.count(
                            "runs",
                            "Runs of lost and discarded packets.",
                            row -> row.rated.interval().impairedRuns()),
                    Column.real(
                            "burst_ratio",
                            "BurstR of ITU-T G.107.",
                            row -> row.rated.interval().burstRatio()),
                    counted("packets", "Captured, of any kind.", Figures::packets),
                    counted("reordered", "Packets that arrived after one with a higher number.", Figures::reordered),
                    figure("mean_jitter_ms", "Interarrival jitter, mean, ms.", Figures::meanJitterMs),
                    figure("max_jitter_ms", "Its highest value, ms.", Figures::maxJitterMs),
                    figure("max_delta_ms", "Longest time between two packets, ms.", Figures::maxDeltaMs),
                    Column.real(
                            "mos",
                            "By the E-model, 1 to 5.",
                            row -> row.rated.rating() instanceof Quality quality ? quality.mos() : Double.NaN),
                    Column.text(
                            "mos_scale",
                            "Its scale: `narrowband`, `wideband`, `fullband`.",
                            row -> row.rated.rating() instanceof Quality quality
                                    ? quality.scale().label()
                                    : null),
                    farEnd(
                            "far_end_lost_percent",
                            "What the receiver reported meanwhile by RTCP, 0 to 100.",
                            ReceptionInterval::lostPercent),
                    Column.real(
                            "far_end_jitter_ms",
                            "The jitter it reported, ms.",
                            row -> row.rated.farEnd() == null
                                    ? Double.NaN
                                    : row.rated.farEnd().jitterMs(row.clockRate)),
                    Column.time("call_at", "`first_seen_at` of the call.", IntervalRow::callNs)));

    private static Column<IntervalRow> counted(String name, String meaning, ToLongFunction<Figures> value) {
        return Column.count(name, meaning, row -> {
            Figures figures = row.rated.interval().figures();
            return figures == null ? Column.NONE : value.applyAsLong(figures);
        });
    }

    private static Column<IntervalRow> figure(String name, String meaning, ToDoubleFunction<Figures> value) {
        return Column.real(name, meaning, row -> {
            Figures figures = row.rated.interval().figures();
            return figures == null ? Double.NaN : value.applyAsDouble(figures);
        });
    }

    private static Column<IntervalRow> farEnd(String name, String meaning, ToDoubleFunction<ReceptionInterval> value) {
        return Column.real(name, meaning, row -> {
            ReceptionInterval farEnd = row.rated.farEnd();
            return farEnd == null ? Double.NaN : value.applyAsDouble(farEnd);
        });
    }
}
