package io.offhook.calls.points;

import io.offhook.calls.CallReport;
import io.offhook.calls.FarEnd;
import io.offhook.calls.Side;
import io.offhook.calls.relay.SegmentFigures;
import io.offhook.calls.relay.StreamPassage;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.RtpStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts the points of each stream in order, and finds what was lost where. */
final class WayFinder {
    /** Captures that are closer than this are at one place, as far as times say. */
    private static final long LEAST_NS = 10_000;

    /** A stream that begins so much later than the capture was captured from its beginning. */
    private static final long SETTLED_NS = 1_000_000_000;

    private static final SegmentFigures.Delay NO_DELAY =
            new SegmentFigures.Delay(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    private final List<CapturePoint> points;
    private final List<@Nullable ClockLine> clocks;
    private final List<List<PointStream>> all;
    private final PointCalls calls;
    private final List<StreamWay> ways = new ArrayList<>();
    /** Sides of calls whose media two points have. */
    private final Set<Passage> compared = new HashSet<>();

    private final Set<Source> comparedSsrcs = new HashSet<>();
    private final Set<Object> placed = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Of the current way. */
    private final Map<Two, @Nullable PointComparison> comparisons = new HashMap<>();

    private long mediaElsewhere;
    private long otherHops;

    /** Media of one side of a call that was compared at a point. */
    private record Passage(int call, @Nullable Side from, int point) {}

    private record Source(int point, long ssrc) {}

    private record Two(PacketLog first, PacketLog second) {}

    WayFinder(
            List<CapturePoint> points,
            List<List<PointStream>> all,
            List<Track> tracks,
            List<@Nullable ClockLine> clocks,
            PointCalls calls) {
        this.points = points;
        this.all = all;
        this.clocks = clocks;
        this.calls = calls;
        for (Track track : tracks) {
            if (track.isShared()) {
                ways.add(way(track));
            }
        }
        unplaced();
        ways.sort(
                Comparator.comparingInt((StreamWay way) -> way.callNumber() == 0 ? Integer.MAX_VALUE : way.callNumber())
                        .thenComparing(way -> way.from() == null ? Side.CALLEE : way.from())
                        .thenComparingInt(way -> way.stops().getFirst().point())
                        .thenComparingLong(way -> way.stream().firstFrame()));
    }

    private StreamWay way(Track track) {
        comparisons.clear();
        List<PointStream> members = track.members();
        List<PointStream> stops = new ArrayList<>(members);
        stops.addAll(track.hops());
        sort(stops);
        List<StreamWay.Segment> segments = new ArrayList<>();
        for (int i = 1; i < stops.size(); i++) {
            segments.add(segment(stops.get(i - 1), stops.get(i)));
        }
        int call = calls.number(members);
        StreamWay way = new StreamWay(call, stops(stops), segments, StreamWay.Fate.COMPARED, after(stops));
        for (PointStream member : stops) {
            placed.add(member.report());
            comparedSsrcs.add(new Source(member.point(), member.ssrc()));
            if (call > 0) {
                compared.add(new Passage(call, way.from(), member.point()));
            }
        }
        return way;
    }

    private StreamWay.Segment segment(PointStream first, PointStream second) {
        PointComparison packets = comparison(first, second);
        SegmentFigures figures = packets == null
                ? new SegmentFigures(0, 0, 0, 0, 0, 0, NO_DELAY)
                : packets.figures(clock(first), window(first.point()), clock(second), window(second.point()));
        StreamPassage.Level level = packets == null ? StreamPassage.Level.EXACT : packets.level();
        return new StreamWay.Segment(ordered(first, second).basis, level, figures);
    }

    /** Numbers the hops of points that have several. */
    private static List<StreamWay.Stop> stops(List<PointStream> streams) {
        List<StreamWay.Stop> stops = new ArrayList<>(streams.size());
        Map<Integer, Integer> counts = new HashMap<>();
        streams.forEach(stream -> counts.merge(stream.point(), 1, Integer::sum));
        Map<Integer, Integer> hops = new HashMap<>();
        for (PointStream stream : streams) {
            boolean isOneOfMany = counts.getOrDefault(stream.point(), 0) > 1;
            stops.add(stop(stream, isOneOfMany ? hops.merge(stream.point(), 1, Integer::sum) : 0));
        }
        return List.copyOf(stops);
    }

    private static StreamWay.Stop stop(PointStream stream, int hop) {
        return new StreamWay.Stop(stream.point(), hop, stream.report(), stream.call());
    }

    private @Nullable PointComparison comparison(PointStream first, PointStream second) {
        Two pair = new Two(first.packets(), second.packets());
        if (!comparisons.containsKey(pair)) {
            comparisons.put(pair, PointComparison.ofSame(first.packets(), second.packets()));
        }
        return comparisons.get(pair);
    }

    private ClockLine clock(PointStream stream) {
        ClockLine clock = clocks.get(stream.point());
        return clock == null ? ClockLine.SAME : clock;
    }

    /** When a capture ran, on the clock of A. */
    private CaptureWindow window(int point) {
        ClockLine clock = clocks.get(point);
        return clock == null
                ? CaptureWindow.UNKNOWN
                : new CaptureWindow(
                        clock.toA(points.get(point).fromNs()),
                        clock.toA(points.get(point).untilNs()));
    }

    /** Sorts neighbours until all are in order; what has no order stays in that of the captures. */
    private void sort(List<PointStream> stops) {
        for (int round = 1; round < stops.size(); round++) {
            for (int i = 1; i < stops.size(); i++) {
                if (ordered(stops.get(i - 1), stops.get(i)).sign < 0) {
                    Collections.swap(stops, i - 1, i);
                }
            }
        }
    }

    /** Whether a point comes first (1), second (-1), or neither is known (0). */
    private record Ordered(int sign, StreamWay.Order basis) {}

    private Ordered ordered(PointStream first, PointStream second) {
        int byAddresses = first.orderByAddresses(second);
        if (byAddresses != 0) {
            return new Ordered(byAddresses, StreamWay.Order.ADDRESSES);
        }
        boolean isOneCapture = first.point() == second.point();
        ClockLine one = isOneCapture ? ClockLine.SAME : clocks.get(first.point());
        ClockLine other = isOneCapture ? ClockLine.SAME : clocks.get(second.point());
        PointComparison packets = comparison(first, second);
        if (one != null && other != null && packets != null && one.isComparable() && other.isComparable()) {
            long medianNs = packets.medianNs(one, other);
            if (Math.abs(medianNs) >= LEAST_NS) {
                return new Ordered(Long.signum(medianNs), StreamWay.Order.DELAY);
            }
        }
        return new Ordered(0, StreamWay.Order.UNKNOWN);
    }

    /**
     * What was lost after the last point: what the receiver lacks, less what this point lacks, both counted as RFC 3550,
     * A.3 does. Unknown if the capture joined late, as the receiver counts from the beginning.
     */
    private StreamWay.@Nullable After after(List<PointStream> stops) {
        PointStream last = stops.getLast();
        RtpStream statistics = last.report().statistics();
        CallReport call = last.call();
        boolean isWhole = statistics.firstNs() - points.get(last.point()).fromNs() >= SETTLED_NS
                || call != null && call.times().invitedNs() != CallReport.NEVER;
        if (!isWhole) {
            return null;
        }
        for (PointStream stop : stops.reversed()) {
            FarEnd receiver = stop.report().farEnd();
            if (receiver != null) {
                return new StreamWay.After(
                        receiver.cumulativeLost(),
                        Math.max(0, receiver.cumulativeLost() - Math.max(0, statistics.cumulativeLost())));
            }
        }
        return null;
    }

    /** Streams that were not compared, of calls that another point saw, too. */
    private void unplaced() {
        Map<Passage, List<PointStream>> left = new HashMap<>();
        for (List<PointStream> streams : all) {
            for (PointStream stream : streams) {
                int call =
                        stream.call() == null ? 0 : calls.number(stream.call().callId());
                if (call == 0 || placed.contains(stream.report())) {
                    continue;
                }
                if (compared.contains(new Passage(call, stream.report().from(), stream.point()))
                        && comparedSsrcs.contains(new Source(stream.point(), stream.ssrc()))) {
                    otherHops++;
                } else {
                    left.computeIfAbsent(
                                    new Passage(call, stream.report().from(), stream.point()), _ -> new ArrayList<>())
                            .add(stream);
                }
            }
        }
        left.forEach((passage, streams) -> {
            for (int point : calls.points(passage.call)) {
                if (point != passage.point) {
                    streams.forEach(stream -> unplaced(stream, passage, point, left));
                }
            }
        });
    }

    private void unplaced(PointStream stream, Passage passage, int point, Map<Passage, List<PointStream>> left) {
        if (compared.contains(new Passage(passage.call, passage.from, point))) {
            return; // an earlier or later stream of that side was compared there
        }
        StreamWay.Kind kind;
        Side from = passage.from;
        List<PointStream> there = left.getOrDefault(new Passage(passage.call, from, point), List.of());
        if (there.stream().anyMatch(other -> isAtOneTime(stream, other))) {
            if (point < passage.point) {
                return; // reported by the other one
            }
            kind = StreamWay.Kind.REWRITTEN;
        } else if (from != null
                && compared.contains(new Passage(passage.call, from.other(), point))
                && compared.contains(new Passage(passage.call, from.other(), passage.point))
                && ranDuring(stream, point)) {
            kind = StreamWay.Kind.NOT_SEEN;
        } else {
            mediaElsewhere++;
            return;
        }
        ways.add(new StreamWay(
                passage.call, List.of(stop(stream, 0)), List.of(), new StreamWay.Fate(kind, point), null));
    }

    /** Whether the capture at another point ran while the stream did. */
    private boolean ranDuring(PointStream stream, int point) {
        CaptureWindow window = window(point);
        RtpStream statistics = stream.report().statistics();
        return clock(stream).toA(statistics.firstNs()) <= window.untilNs()
                && clock(stream).toA(statistics.lastNs()) >= window.fromNs();
    }

    /** Whether two streams overlap in time; those of captures that do not overlap are no evidence of anything. */
    private boolean isAtOneTime(PointStream one, PointStream other) {
        RtpStream here = one.report().statistics();
        RtpStream there = other.report().statistics();
        return clock(one).toA(here.firstNs()) <= clock(other).toA(there.lastNs())
                && clock(other).toA(there.firstNs()) <= clock(one).toA(here.lastNs());
    }

    List<StreamWay> ways() {
        return ways;
    }

    /** Streams of calls that another point saw without media of that side. */
    long mediaElsewhere() {
        return mediaElsewhere;
    }

    /** Streams that the same capture has on another hop, too, where they were compared. */
    long otherHops() {
        return otherHops;
    }
}
