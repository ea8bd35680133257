package io.offhook.calls.points;

import io.offhook.calls.relay.SegmentFigures;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the offset and the drift of two captures' clocks from packets that both have. No packet arrives before it was
 * sent: the least difference in one direction and the greatest in the other are bounds of the offset, and the middle
 * between them is right if both directions are equally fast at best. Of several paths, the one with the closest bounds
 * counts, as in NTP (RFC 5905, 10). Which direction is which follows from the differences, too: they are greater in the
 * direction that passes the first point first.
 */
final class ClockEstimate {
    /** Percent of differences that are left out at each end, from 50 packets on. */
    private static final int TRIMMED = 2;

    /** Directions whose differences are closer than this cannot be told apart. */
    private static final long LEAST_NS = 10_000;

    private ClockEstimate() {}

    /** The differences of one direction, without drift: between which limits they are. */
    private static final class Direction {
        long lowNs = Long.MAX_VALUE;
        long highNs = Long.MIN_VALUE;
        private long lowQuartileNs = Long.MAX_VALUE;
        private long highQuartileNs = Long.MIN_VALUE;
        int order;

        void add(long[] ascending, int knownOrder) {
            lowNs = Math.min(lowNs, SegmentFigures.ranked(ascending, TRIMMED));
            highNs = Math.max(highNs, SegmentFigures.ranked(ascending, 100 - TRIMMED));
            lowQuartileNs = Math.min(lowQuartileNs, SegmentFigures.ranked(ascending, 25));
            highQuartileNs = Math.max(highQuartileNs, SegmentFigures.ranked(ascending, 75));
            order = order == 0 ? knownOrder : order;
        }

        boolean isEmpty() {
            return lowNs == Long.MAX_VALUE;
        }

        /** By more than noise. If clocks and drift were known exactly, so would all differences be. */
        boolean isAbove(Direction other) {
            return lowQuartileNs > other.highQuartileNs + LEAST_NS;
        }
    }

    /** Between what the offset is. */
    private record Bounds(long notBefore, long notAfter) {
        double middleNs() {
            return notBefore / 2.0 + notAfter / 2.0;
        }

        double uncertaintyNs() {
            return Math.abs(notAfter - notBefore) / 2.0;
        }
    }

    /** Estimates; null if there are no samples. */
    static @Nullable ClockLine of(List<ClockSamples> samples) {
        if (samples.isEmpty()) {
            return null;
        }
        long atNs = Long.MAX_VALUE;
        long count = 0;
        for (ClockSamples set : samples) {
            atNs = Math.min(atNs, set.startNs());
            count += set.count();
        }
        ClockDrift drift = ClockDrift.of(samples);
        ClockLine line = new ClockLine(
                atNs, 0, Double.NaN, drift.ratio() * 1e6, drift.error() * 1e6, ClockLine.Basis.ONE_DIRECTION, count);
        Bounds bounds = closest(directions(samples, line, ClockSamples::path, ClockSamples::isForward));
        if (bounds == null) {
            bounds = closest(directions(samples, line, ClockSamples::call, ClockSamples::isFromCaller));
        }
        Direction[] all = ordered(samples, line);
        if (bounds == null && !all[0].isEmpty() && !all[1].isEmpty()) {
            bounds = new Bounds(all[1].highNs, all[0].lowNs);
        }
        if (bounds != null) {
            return with(line, bounds.middleNs(), bounds.uncertaintyNs(), ClockLine.Basis.BOTH_DIRECTIONS);
        }
        return with(line, onlyBound(all), Double.NaN, ClockLine.Basis.ONE_DIRECTION);
    }

    private static ClockLine with(ClockLine line, double offsetNs, double uncertaintyNs, ClockLine.Basis basis) {
        return new ClockLine(
                line.atNs(), offsetNs, uncertaintyNs, line.driftPpm(), line.driftErrorPpm(), basis, line.samples());
    }

    /** By group, forward and backward. */
    private static Map<String, Direction[]> directions(
            List<ClockSamples> samples,
            ClockLine line,
            Function<ClockSamples, @Nullable String> group,
            Predicate<ClockSamples> isForward) {
        Map<String, Direction[]> groups = new HashMap<>();
        for (ClockSamples set : samples) {
            String key = group.apply(set);
            if (key != null) {
                Direction[] both = groups.computeIfAbsent(key, _ -> new Direction[] {new Direction(), new Direction()});
                both[isForward.test(set) ? 0 : 1].add(withoutDrift(set, line), set.order());
            }
        }
        return groups;
    }

    private static @Nullable Bounds closest(Map<String, Direction[]> groups) {
        Bounds closest = null;
        for (Direction[] both : groups.values()) {
            Bounds bounds = both[0].isEmpty() || both[1].isEmpty() ? null : bounds(both[0], both[1]);
            if (bounds != null && (closest == null || bounds.uncertaintyNs() < closest.uncertaintyNs())) {
                closest = bounds;
            }
        }
        return closest;
    }

    /** Null if both directions pass the points alike, as copies of a mirror port do, or at one place. */
    private static @Nullable Bounds bounds(Direction forward, Direction backward) {
        int order = forward.order != 0 ? forward.order : -backward.order;
        if (order == 0 && forward.isAbove(backward)) {
            order = 1;
        } else if (order == 0 && backward.isAbove(forward)) {
            order = -1;
        }
        return switch (order) {
            case 1 -> new Bounds(backward.highNs, forward.lowNs);
            case -1 -> new Bounds(forward.highNs, backward.lowNs);
            default -> null;
        };
    }

    /** All samples: those that pass the first point first, those that pass it second, and those of unknown order. */
    private static Direction[] ordered(List<ClockSamples> samples, ClockLine line) {
        Direction[] all = {new Direction(), new Direction(), new Direction()};
        for (ClockSamples set : samples) {
            all[set.order() > 0 ? 0 : set.order() < 0 ? 1 : 2].add(withoutDrift(set, line), 0);
        }
        return all;
    }

    /** The offset with which the fastest packet took no time. */
    private static double onlyBound(Direction[] all) {
        if (all[0].isEmpty() && !all[1].isEmpty()) {
            return all[1].highNs;
        }
        return all[0].isEmpty() ? all[2].lowNs : all[0].lowNs;
    }

    /** The differences at the time of the line, ascending. */
    private static long[] withoutDrift(ClockSamples samples, ClockLine line) {
        double slope = line.hasDrift() ? line.driftPpm() / 1e6 : 0;
        long[] differences = new long[samples.count()];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = samples.differenceNs()[i] - Math.round(slope * (samples.firstNs()[i] - line.atNs()));
        }
        Arrays.sort(differences);
        return differences;
    }
}
