package io.offhook.calls.points;

import io.offhook.calls.relay.SegmentFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * By how much one clock is faster than another: the median of the slopes between medians of short times, each weighted
 * with its span, so that delays that jump or spread do not bend it.
 *
 * @param ratio the drift; NaN if nothing was seen for long enough
 * @param error by how much it may be wrong: three standard errors, if the medians were independent
 */
record ClockDrift(double ratio, double error) {
    /** Pieces of a stream, each with one median. */
    private static final int PIECES = 16;

    /** Beyond this number of pieces on one path, only every second, third, ... counts. */
    private static final int MOST_POINTS = 128;

    /** Beyond this number of paths, those seen for the longest times count. */
    private static final int MOST_PATHS = 64;

    /** Slopes over a shorter time say more about jitter than about clocks. */
    private static final long LEAST_SPAN_NS = 10_000_000_000L;

    /** Of quartiles in standard deviations, for a normal distribution. */
    private static final double DEVIATIONS_A_QUARTILE = 1.4826;

    private static final double STANDARD_ERRORS = 3;

    private record Point(long atNs, long differenceNs) {}

    private record Slope(double value, double weight) {}

    static ClockDrift of(List<ClockSamples> samples) {
        List<ClockSamples> media =
                samples.stream().filter(ClockSamples::isMedia).toList();
        // SIP waits in proxies, but a few seconds of media say little about half an hour
        List<ClockSamples> used = 2 * spanOf(media) >= spanOf(samples) ? media : samples;
        List<Slope> slopes = new ArrayList<>();
        int points = slopesOf(paths(used), slopes);
        if (slopes.isEmpty()) {
            points = slopes(middles(used), slopes);
        }
        if (slopes.isEmpty()) {
            return new ClockDrift(Double.NaN, Double.NaN);
        }
        slopes.sort(Comparator.comparingDouble(Slope::value));
        double halfQuartiles = (ranked(slopes, 0.75) - ranked(slopes, 0.25)) / 2;
        return new ClockDrift(
                ranked(slopes, 0.5),
                STANDARD_ERRORS * DEVIATIONS_A_QUARTILE * halfQuartiles / Math.sqrt(Math.max(1, points - 1)));
    }

    private static long spanOf(List<ClockSamples> samples) {
        long from = Long.MAX_VALUE;
        long until = Long.MIN_VALUE;
        for (ClockSamples set : samples) {
            from = Math.min(from, set.startNs());
            until = Math.max(until, set.startNs() + set.spanNs());
        }
        return samples.isEmpty() ? -1 : until - from;
    }

    private static int slopesOf(List<List<Point>> paths, List<Slope> slopes) {
        paths.sort(Comparator.comparingLong(ClockDrift::spanNs).reversed());
        int points = 0;
        for (List<Point> path : paths.subList(0, Math.min(paths.size(), MOST_PATHS))) {
            points += slopes(path, slopes);
        }
        return points;
    }

    /** The medians on each path, each direction by itself. */
    private static List<List<Point>> paths(List<ClockSamples> samples) {
        Map<String, List<Point>> paths = new LinkedHashMap<>();
        for (ClockSamples set : samples) {
            pieces(set, paths.computeIfAbsent((set.isForward() ? ">" : "<") + set.path(), _ -> new ArrayList<>()));
        }
        return new ArrayList<>(paths.values());
    }

    /**
     * Of each path that was used in both directions, the middle between them, which is the same on all paths whose delays
     * are the same in both directions: for many short calls, each between other hosts.
     */
    private static List<Point> middles(List<ClockSamples> samples) {
        Map<String, ClockSamples> forward = new LinkedHashMap<>();
        Map<String, ClockSamples> backward = new LinkedHashMap<>();
        for (ClockSamples set : samples) {
            (set.isForward() ? forward : backward).putIfAbsent(set.path(), set);
        }
        List<Point> middles = new ArrayList<>();
        forward.forEach((path, one) -> {
            ClockSamples other = backward.get(path);
            if (other != null) {
                Point a = middle(one);
                Point b = middle(other);
                middles.add(new Point(a.atNs / 2 + b.atNs / 2, a.differenceNs / 2 + b.differenceNs / 2));
            }
        });
        return middles;
    }

    private static Point middle(ClockSamples samples) {
        long[] differences = samples.differenceNs().clone();
        Arrays.sort(differences);
        return new Point(samples.startNs() + samples.spanNs() / 2, SegmentFigures.ranked(differences, 50));
    }

    private static void pieces(ClockSamples samples, List<Point> points) {
        int pieces = Math.min(PIECES, samples.count());
        for (int piece = 0; piece < pieces; piece++) {
            int from = (int) ((long) samples.count() * piece / pieces);
            int until = (int) ((long) samples.count() * (piece + 1) / pieces);
            long[] differences = Arrays.copyOfRange(samples.differenceNs(), from, until);
            Arrays.sort(differences);
            points.add(new Point(samples.firstNs()[(from + until) / 2], SegmentFigures.ranked(differences, 50)));
        }
    }

    private static long spanNs(List<Point> path) {
        long from = Long.MAX_VALUE;
        long until = Long.MIN_VALUE;
        for (Point point : path) {
            from = Math.min(from, point.atNs);
            until = Math.max(until, point.atNs);
        }
        return until - from;
    }

    /** Adds the slopes of a path; returns how many points they are between. */
    private static int slopes(List<Point> points, List<Slope> slopes) {
        int step = 1 + points.size() / MOST_POINTS;
        int used = 0;
        for (int i = 0; i < points.size(); i += step) {
            boolean isUsed = false;
            for (int j = i + step; j < points.size(); j += step) {
                double span = points.get(j).atNs - points.get(i).atNs;
                if (Math.abs(span) >= LEAST_SPAN_NS) {
                    double rise = points.get(j).differenceNs - points.get(i).differenceNs;
                    slopes.add(new Slope(rise / span, Math.abs(span)));
                    isUsed = true;
                }
            }
            used += isUsed ? 1 : 0;
        }
        return used;
    }

    private static double ranked(List<Slope> ascending, double share) {
        double all = 0;
        for (Slope slope : ascending) {
            all += slope.weight;
        }
        double passed = 0;
        for (Slope slope : ascending) {
            passed += slope.weight;
            if (passed >= all * share) {
                return slope.value;
            }
        }
        return ascending.getLast().value;
    }
}
