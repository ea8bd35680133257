package io.offhook.calls.points;

import io.offhook.calls.CallReport;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.calls.relay.SegmentFigures;
import io.offhook.calls.relay.StreamPassage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way of a stream: the points at which it was seen, in the order in which it passes them, and what was lost before,
 * between and after them.
 *
 * @param callNumber of its call, as {@link PointsReport#calls} counts them from 1; 0 if it belongs to none
 * @param stops the points that have it, in order
 * @param segments between each stop and the next
 * @param fate what is known of it elsewhere
 * @param after what its receiver reported; null if nothing that can be compared
 */
public record StreamWay(
        int callNumber,
        List<Stop> stops,
        List<Segment> segments,
        Fate fate,
        @Nullable After after) {

    /**
     * A stream at one point.
     *
     * @param point the index of the capture, from 0
     * @param hop of those that the capture has of the stream, 1 for the first; 0 if it has one only
     * @param stream as it was captured there
     * @param call that it belongs to there; null if it belongs to none
     */
    public record Stop(
            int point,
            int hop,
            StreamReport stream,
            @Nullable CallReport call) {}

    /**
     * From one stop to the next.
     *
     * @param order what the order of the two rests on
     * @param level by what it is the same stream at both
     * @param figures what was lost, and how long it took
     */
    public record Segment(Order order, StreamPassage.Level level, SegmentFigures figures) {
        /** Whether it is known which of the two comes first. */
        public boolean isOrdered() {
            return order != Order.UNKNOWN;
        }
    }

    /** What the order of two points rests on. */
    public enum Order {
        /** It goes to the address at one point from which it comes at the next. */
        ADDRESSES("addresses"),
        /** It is later at the next point. */
        DELAY("delay"),
        /** Nothing: the points are in the order of the captures. */
        UNKNOWN(null);

        private final @Nullable String label;

        Order(@Nullable String label) {
            this.label = label;
        }

        /** The name in JSON; null for {@link #UNKNOWN}. */
        public @Nullable String label() {
            return label;
        }
    }

    /** What became of a stream. */
    public enum Kind {
        /** Two or more points have it. */
        COMPARED("compared"),
        /** Another point saw its call, and media of the other side, but not it. */
        NOT_SEEN("notSeen"),
        /** Another point has a stream of the same side of the call, but neither its packets nor its payloads. */
        REWRITTEN("rewritten");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** The name in JSON. */
        public String label() {
            return label;
        }
    }

    /**
     * What is known of a stream at other points.
     *
     * @param kind whether it was compared
     * @param point the one that does not have it; -1 if it was compared
     */
    public record Fate(Kind kind, int point) {
        static final Fate COMPARED = new Fate(Kind.COMPARED, -1);
    }

    /**
     * What was lost after the last point, by the receiver's RTCP (RFC 3550, 6.4.1).
     *
     * @param reportedLost cumulative number of packets lost, by the last report
     * @param lost those of them that were not lost before or at the last point, 0 or more
     */
    public record After(long reportedLost, long lost) {}

    /** The stream at its first point. */
    public StreamReport stream() {
        return stops.getFirst().stream;
    }

    /**
     * Who sends it; null if it belongs to no call. A capture that saw the INVITE knows; one that joined late may take the
     * wrong side for the caller.
     */
    public @Nullable Side from() {
        Side from = null;
        for (Stop stop : stops) {
            if (stop.call != null && stop.call.times().invitedNs() != CallReport.NEVER) {
                return stop.stream.from();
            }
            from = from == null ? stop.stream.from() : from;
        }
        return from;
    }

    /** "audio", "video"... by the first point that knows; null if none does. */
    public @Nullable String mediaType() {
        return stops.stream()
                .map(stop -> stop.stream.mediaType())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Sequence numbers that are missing at the first point, by its own count. */
    public long lostBefore() {
        return segments.isEmpty() ? 0 : segments.getFirst().figures.lostBefore();
    }

    /** What was lost before the first point: numbers that neither of the first two has. */
    public long lostBeforeBoth() {
        return segments.isEmpty() ? 0 : segments.getFirst().figures.lostBeforeBoth();
    }

    /** What was lost between all points. */
    public long lostBetween() {
        return segments.stream().mapToLong(segment -> segment.figures.lost()).sum();
    }
}
