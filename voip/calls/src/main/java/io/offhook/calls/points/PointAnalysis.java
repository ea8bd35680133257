package io.offhook.calls.points;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.calls.relay.PacketPairs;
import io.offhook.rtp.PacketLog;
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

/**
 * Compares captures of the same traffic at several points. First each capture is analysed, with {@link PointMessages} as
 * its listener; this then knows which streams are worth a second look. A second run over each capture feeds {@link #media},
 * and {@link #report} compares.
 *
 * <p>Single-threaded, but for the second runs.
 */
public final class PointAnalysis {
    /** The most RTP packets that are compared, all points together; 20 bytes each. Streams beyond that are left out. */
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
                    streams.add(new PointStream(point, stream, call, PacketLog.unlimited()));
                }
            }
        }
        for (StreamReport stream : capture.streams()) {
            streams.add(new PointStream(point, stream, null, PacketLog.unlimited()));
        }
        return streams;
    }

    /** By SSRC: those that two points have, then those that may have another one there, as long as there is room. */
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
        List<List<PointStream>> others = new ArrayList<>();
        for (long ssrc : order) {
            List<PointStream> streams = bySsrc.getOrDefault(ssrc, List.of());
            if (pointsOf.getOrDefault(ssrc, 0) > 1) {
                room -= take(streams, room);
            } else {
                streams.stream().filter(PointAnalysis::isLongEnough).forEach(stream -> others.add(List.of(stream)));
            }
        }
        // a host between the points may have given them another SSRC, or one between the hops of a point
        boolean mayBeShared = others.stream()
                        .mapToInt(streams -> streams.getFirst().point())
                        .distinct()
                        .count()
                > 1;
        Set<Object> calls = Collections.newSetFromMap(new IdentityHashMap<>());
        wanted.forEach(streams -> streams.forEach(stream -> calls.add(stream.call())));
        others.sort(Comparator.comparing(streams -> streams.getFirst().call() == null));
        for (List<PointStream> streams : others) {
            CallReport call = streams.getFirst().call();
            if (mayBeShared || call != null && calls.contains(call)) {
                room -= take(streams, room);
            }
        }
    }

    private static boolean isLongEnough(PointStream stream) {
        return stream.report().statistics().distinct() >= PacketPairs.FEWEST_PAYLOADS;
    }

    /** Wants streams if there is room for all of them; returns the packets that they have. */
    private long take(List<PointStream> streams, long room) {
        long packets = streams.stream()
                .mapToLong(stream -> stream.report().statistics().packets())
                .sum();
        if (packets > room) {
            streamsLeftOut += streams.size();
            return 0;
        }
        streams.forEach(stream -> wanted.get(stream.point()).add(stream));
        return packets;
    }

    /** What collects the packets of a point, by the index of its capture; for a second run over it. */
    public PointMedia media(int point) {
        return media.get(point);
    }

    /** Compares the points, once all packets are collected. */
    public PointsReport report() {
        List<Track> tracks = Track.of(wanted);
        ClockSteps steps = new ClockSteps(isSameClock ? 0 : points.size(), isSameClock ? List.of() : tracks);
        List<CapturePoint> corrected = new ArrayList<>(points);
        for (int point = 0; point < steps.steps().size(); point++) {
            steps.takeBack(point, points.get(point).messages());
            corrected.set(point, steps.corrected(point, points.get(point)));
        }
        PointCalls calls = new PointCalls(corrected, tracks);
        PointDialogs dialogs = new PointDialogs(corrected);
        List<@Nullable ClockLine> clocks =
                isSameClock ? same() : new PointClocks(points.size(), tracks, dialogs).lines();
        WayFinder finder = new WayFinder(corrected, all, tracks, clocks, calls);
        LostMessages lost = new LostMessages(corrected, dialogs, clocks, calls, MOST_LOST_MESSAGES);
        return new PointsReport(
                calls.calls(),
                clocks,
                isSameClock ? Collections.nCopies(points.size(), List.of()) : steps.steps(),
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
