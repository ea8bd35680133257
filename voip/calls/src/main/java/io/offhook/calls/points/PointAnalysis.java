package io.offhook.calls.points;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares captures of the same traffic at several points. First each capture is analysed, with {@link PointMessages} as
 * its listener; this then knows which streams are worth a second look. A second run over each capture feeds {@link #media},
 * and {@link #report} compares.
 *
 * <p>Single-threaded, but for the second runs.
 */
public final class PointAnalysis {
    /** The most RTP packets that are compared, all points together; 16 bytes each. Streams beyond that are left out. */
    public static final long MOST_PACKETS = 16_777_216;

    /** The most SIP messages that are reported as missing. */
    public static final int MOST_LOST_MESSAGES = 10_000;

    private final List<CapturePoint> points;
    private final boolean isSameClock;
    private final List<List<PointStream>> all = new ArrayList<>();
    private final List<List<PointStream>> wanted = new ArrayList<>();
    private final List<PointMedia> media = new ArrayList<>();
    private long streamsLeftOut;

    /**
     * Finds the streams that several points have.
     *
     * @param points two or more, each analysed
     * @param isSameClock whether all captures are known to have one clock
     */
    public PointAnalysis(List<CapturePoint> points, boolean isSameClock) {
        this(points, isSameClock, MOST_PACKETS);
    }

    /**
     * Finds the streams that several points have, with another limit than {@link #MOST_PACKETS}.
     *
     * @param points two or more, each analysed
     * @param isSameClock whether all captures are known to have one clock
     * @param mostPackets RTP packets that are compared, all points together
     */
    public PointAnalysis(List<CapturePoint> points, boolean isSameClock, long mostPackets) {
        this.points = List.copyOf(points);
        this.isSameClock = isSameClock;
        for (int point = 0; point < points.size(); point++) {
            all.add(streams(point, points.get(point)));
            wanted.add(new ArrayList<>());
        }
        choose(mostPackets);
        wanted.forEach(streams -> media.add(new PointMedia(streams)));
    }

    /** Each stream once. */
    private static List<PointStream> streams(int point, CapturePoint capture) {
        List<PointStream> streams = new ArrayList<>();
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (CallReport call : capture.calls()) {
            for (StreamReport stream : call.streams()) {
                if (seen.add(stream.statistics())) {
                    streams.add(new PointStream(point, stream, call, new PointPackets(0)));
                }
            }
        }
        for (StreamReport stream : capture.streams()) {
            streams.add(new PointStream(point, stream, null, new PointPackets(0)));
        }
        return streams;
    }

    /** By SSRC: those that two points have, as long as there is room for their packets. */
    private void choose(long mostPackets) {
        Map<Long, List<PointStream>> bySsrc = new HashMap<>();
        Map<Long, Integer> pointsOf = new HashMap<>();
        List<Long> order = new ArrayList<>();
        for (int point = 0; point < all.size(); point++) {
            Set<Long> here = new HashSet<>();
            for (PointStream stream : all.get(point)) {
                if (here.add(stream.ssrc()) && pointsOf.merge(stream.ssrc(), 1, Integer::sum) == 1) {
                    order.add(stream.ssrc());
                }
                bySsrc.computeIfAbsent(stream.ssrc(), _ -> new ArrayList<>(2)).add(stream);
            }
        }
        long room = mostPackets;
        for (long ssrc : order) {
            List<PointStream> streams = bySsrc.getOrDefault(ssrc, List.of());
            if (pointsOf.getOrDefault(ssrc, 0) > 1) {
                long packets = streams.stream()
                        .mapToLong(stream -> stream.report().statistics().packets())
                        .sum();
                if (packets > room) {
                    streamsLeftOut += streams.size();
                } else {
                    room -= packets;
                    streams.forEach(stream -> wanted.get(stream.point()).add(stream));
                }
            }
        }
    }

    /** What collects the packets of a point, by the index of its capture; for a second run over it. */
    public PointMedia media(int point) {
        return media.get(point);
    }

    /** Compares the points, once all packets are collected. */
    public PointsReport report() {
        List<Track> tracks = Track.of(wanted);
        PointCalls calls = new PointCalls(points, tracks);
        PointDialogs dialogs = new PointDialogs(points);
        List<@Nullable ClockLine> clocks =
                isSameClock ? same() : new PointClocks(points.size(), tracks, dialogs).lines();
        WayFinder finder = new WayFinder(points, all, tracks, clocks, calls);
        LostMessages lost = new LostMessages(points, dialogs, clocks, calls, MOST_LOST_MESSAGES);
        return new PointsReport(
                calls.calls(),
                clocks,
                finder.ways(),
                lost.messages(),
                new PointsReport.Counts(
                        dialogs.shared(),
                        finder.mediaElsewhere(),
                        finder.otherHops(),
                        streamsLeftOut,
                        lost.leftOut()
                                + points.stream()
                                        .mapToLong(point ->
                                                point.messages().leftOut().count())
                                        .sum()));
    }

    private List<@Nullable ClockLine> same() {
        return new ArrayList<>(Collections.nCopies(points.size(), ClockLine.SAME));
    }
}
