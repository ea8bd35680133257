package io.offhook.cluster.calls;

import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.IcmpError;
import io.offhook.cluster.event.Measured;
import io.offhook.cluster.event.SipMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of the frames of several probes. With one incarnation of one probe, frames keep their numbers. With several, they are
 * ranked as {@code offhook} merges files: by the greatest time so far at their probe, then by the probe that came first, each in its
 * own order.
 */
final class FrameOrder {
    private record Probe(String name, long incarnation) {}

    private record Place(int probe, long frame) {}

    private record Point(long atNs, Place place) {}

    private final Map<Probe, Integer> probes;
    /** Empty with one probe. */
    private final Map<Place, Long> ranks;

    private FrameOrder(Map<Probe, Integer> probes, Map<Place, Long> ranks) {
        this.probes = probes;
        this.ranks = ranks;
    }

    static FrameOrder of(List<Event> events, Map<StreamKey, FoldedStream> streams) {
        Map<Probe, Integer> probes = new HashMap<>();
        List<Point> points = new ArrayList<>();
        for (Event event : events) {
            points.add(new Point(event.atNs(), new Place(probe(probes, event), number(event))));
        }
        streams.forEach((key, stream) -> {
            int probe = probes.computeIfAbsent(new Probe(key.probe(), key.incarnation()), _ -> probes.size());
            if (stream.isWhole()) {
                long firstNs = stream.figures().arrival().times().firstNs();
                points.add(new Point(firstNs, new Place(probe, stream.firstFrame())));
            }
        });
        return new FrameOrder(probes, probes.size() > 1 ? ranks(points) : Map.of());
    }

    private static int probe(Map<Probe, Integer> probes, Event event) {
        Probe probe = new Probe(event.origin().probe(), event.origin().incarnation());
        return probes.computeIfAbsent(probe, _ -> probes.size());
    }

    private static Map<Place, Long> ranks(List<Point> points) {
        points.sort(Comparator.<Point>comparingInt(point -> point.place().probe())
                .thenComparingLong(point -> point.place().frame()));
        List<Point> reached = new ArrayList<>(points.size());
        int probe = -1;
        long greatestNs = Long.MIN_VALUE;
        for (Point point : points) {
            greatestNs = point.place().probe() == probe ? Math.max(greatestNs, point.atNs()) : point.atNs();
            probe = point.place().probe();
            reached.add(new Point(greatestNs, point.place()));
        }
        reached.sort(Comparator.comparingLong(Point::atNs)); // stable: by probe, then frame
        Map<Place, Long> ranks = new HashMap<>();
        for (Point point : reached) {
            ranks.putIfAbsent(point.place(), ranks.size() + 1L);
        }
        return ranks;
    }

    private static long number(Event event) {
        return switch (event.body()) {
            case SipMessage message -> message.frame();
            case IcmpError error -> error.frame();
            case Measured measured -> measured.frame();
            default -> throw new IllegalArgumentException("no frame: " + event.body());
        };
    }

    /** Events of one probe stay in their order. */
    List<Event> inOrder(List<Event> events) {
        if (ranks.isEmpty()) {
            return events;
        }
        List<Event> sorted = new ArrayList<>(events);
        sorted.sort(Comparator.comparingLong(this::frame));
        return sorted;
    }

    long frame(Event event) {
        return frame(new Probe(event.origin().probe(), event.origin().incarnation()), number(event));
    }

    long frame(StreamKey key, long frame) {
        return frame(new Probe(key.probe(), key.incarnation()), frame);
    }

    private long frame(Probe probe, long frame) {
        return ranks.isEmpty() ? frame : ranks.getOrDefault(new Place(probes.getOrDefault(probe, -1), frame), frame);
    }
}
