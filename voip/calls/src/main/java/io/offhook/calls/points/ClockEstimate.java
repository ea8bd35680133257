package io.offhook.calls.points;

import io.offhook.calls.Side;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the offset and the drift of two captures' clocks from packets that both have. The drift is the median of slopes
 * between medians of short times, so that delays that jump or spread do not bend it; the offset is the mean of the medians
 * of a call's two directions, whose delays cancel if they are alike.
 */
public final class ClockEstimate {
    /** Pieces of a stream, each with one median. */
    private static final int PIECES = 16;

    /** Beyond this number of pieces on one path, only every second, third, ... counts. */
    private static final int MOST_POINTS = 512;

    /** Slopes over a shorter time say more about jitter than about clocks. */
    private static final long LEAST_SPAN_NS = 10_000_000_000L;

    private ClockEstimate() {}

    /**
     * A stream that both captures have.
     *
     * @param path what has the same delay: the hosts that it runs between
     * @param call that it belongs to; null if none
     * @param from who sends it; null if unknown
     * @param packets compared, A first
     */
    public record Matched(String path, @Nullable String call, @Nullable Side from, PointComparison packets) {}

    private record Point(long atNs, long differenceNs) {}

    private record Slope(double value, double weight) {}

    /** Estimates; null if no stream was matched. */
    public static @Nullable ClockLine of(List<Matched> streams) {
        if (streams.isEmpty()) {
            return null;
        }
        long atNs = Long.MAX_VALUE;
        long packets = 0;
        Map<String, List<Point>> paths = new HashMap<>();
        for (Matched stream : streams) {
            packets += stream.packets().matched();
            for (int i = 0; i < stream.packets().matched(); i++) {
                atNs = Math.min(atNs, stream.packets().firstNs(i));
            }
            pieces(stream.packets(), paths.computeIfAbsent(stream.path(), _ -> new ArrayList<>()));
        }
        double drift = drift(paths);
        double[] offsets = bothDirections(streams, drift, atNs);
        boolean isFromBoth = offsets.length > 0;
        if (!isFromBoth) {
            long start = atNs;
            offsets = streams.stream()
                    .mapToDouble(stream -> medianNs(stream.packets(), drift, start))
                    .toArray();
        }
        Arrays.sort(offsets);
        return new ClockLine(atNs, offsets[offsets.length / 2], drift * 1e6, packets, isFromBoth);
    }

    private static void pieces(PointComparison packets, List<Point> points) {
        int pieces = Math.min(PIECES, packets.matched());
        for (int piece = 0; piece < pieces; piece++) {
            int from = (int) ((long) packets.matched() * piece / pieces);
            int until = (int) ((long) packets.matched() * (piece + 1) / pieces);
            long[] differences = new long[until - from];
            for (int i = from; i < until; i++) {
                differences[i - from] = packets.differenceNs(i);
            }
            Arrays.sort(differences);
            points.add(new Point(packets.firstNs((from + until) / 2), PointComparison.ranked(differences, 50)));
        }
    }

    /** The drift as a ratio; NaN if no path was seen long enough. */
    private static double drift(Map<String, List<Point>> paths) {
        List<Slope> slopes = new ArrayList<>();
        double weight = 0;
        for (List<Point> points : paths.values()) {
            int step = 1 + points.size() / MOST_POINTS;
            for (int i = 0; i < points.size(); i += step) {
                for (int j = i + step; j < points.size(); j += step) {
                    double span = Math.abs(points.get(j).atNs() - points.get(i).atNs());
                    if (span >= LEAST_SPAN_NS) {
                        double rise =
                                points.get(j).differenceNs() - points.get(i).differenceNs();
                        slopes.add(new Slope(
                                rise / (points.get(j).atNs() - points.get(i).atNs()), span));
                        weight += span;
                    }
                }
            }
        }
        slopes.sort(Comparator.comparingDouble(Slope::value));
        double passed = 0;
        for (Slope slope : slopes) {
            passed += slope.weight();
            if (passed >= weight / 2) {
                return slope.value();
            }
        }
        return Double.NaN;
    }

    /** The mean of both directions' medians, of each call that has both. */
    private static double[] bothDirections(List<Matched> streams, double drift, long atNs) {
        Map<String, double[]> calls = new HashMap<>();
        for (Matched stream : streams) {
            if (stream.call() != null && stream.from() != null) {
                double[] medians =
                        calls.computeIfAbsent(stream.call(), _ -> new double[] {Double.NaN, Double.NaN});
                medians[stream.from() == Side.CALLER ? 0 : 1] = medianNs(stream.packets(), drift, atNs);
            }
        }
        return calls.values().stream()
                .mapToDouble(medians -> (medians[0] + medians[1]) / 2)
                .filter(offset -> !Double.isNaN(offset))
                .toArray();
    }

    private static double medianNs(PointComparison packets, double drift, long atNs) {
        double slope = Double.isNaN(drift) ? 0 : drift;
        long[] differences = new long[packets.matched()];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = packets.differenceNs(i) - Math.round(slope * (packets.firstNs(i) - atNs));
        }
        Arrays.sort(differences);
        return PointComparison.ranked(differences, 50);
    }
}
