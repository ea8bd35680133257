package io.offhook.calls.points;

import io.offhook.rtp.PacketLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Finds where the clock of a capture was set while it ran, and takes it back. Then the differences of arrival between two
 * captures jump, in both directions alike, by what the sender's own clock, the timestamps, shows at one of the two only: the
 * capture whose clock was set.
 */
final class ClockSteps {
    /** A path that becomes slower makes smaller jumps; NTP sets a clock from 128 ms on (RFC 5905, A.1.1). */
    private static final long LEAST_NS = 100_000_000L;

    /** Where only one direction was seen, a jump may be that of a queue. */
    private static final long LEAST_OF_ONE_DIRECTION_NS = 1_000_000_000L;

    /** Packets on either side of a step whose differences have to agree. */
    private static final int WINDOW = 16;

    /** Between the jumps of two streams by one step, in size, and in time. */
    private static final long ALIKE_NS = 50_000_000L;

    private static final long TOGETHER_NS = 1_000_000_000L;

    /** The most steps of one capture; a clock that is set more often has no times to compare. */
    private static final int MOST_STEPS = 16;

    private final List<Track> tracks;
    /** By the point. */
    private final List<List<Jump>> found = new ArrayList<>();

    private final List<Jump> jumps = new ArrayList<>();

    /**
     * A jump of one stream.
     *
     * @param point whose clock was set
     * @param other the point that it was compared with
     * @param beforeNs the last packet before it
     * @param differenceNs by how much later packets arrived at the point than at the other one, until then
     * @param isForward the direction of the stream
     */
    private record Jump(int point, int other, long beforeNs, long byNs, long differenceNs, boolean isForward) {
        boolean isOf(Jump other) {
            return point == other.point
                    && Math.abs(byNs - other.byNs) <= ALIKE_NS
                    && Math.abs(beforeNs - other.beforeNs) <= TOGETHER_NS;
        }
    }

    ClockSteps(int points, List<Track> tracks) {
        this.tracks = tracks;
        for (int point = 0; point < points; point++) {
            found.add(new ArrayList<>(0));
        }
        for (Track track : tracks) {
            for (int i = 1; i < track.members().size(); i++) {
                find(track.members().getFirst(), track.members().get(i));
            }
        }
        jumps.sort(Comparator.comparingInt(Jump::point).thenComparingLong(Jump::beforeNs));
        for (Jump jump : jumps) {
            List<Jump> known = found.get(jump.point);
            if (known.size() < MOST_STEPS && known.stream().noneMatch(jump::isOf) && isStep(jump)) {
                known.add(jump);
            }
        }
        for (Track track : tracks) {
            track.members().forEach(stream -> takeBack(stream, track));
            track.hops().forEach(stream -> takeBack(stream, track));
        }
    }

    private void find(PointStream one, PointStream other) {
        PointComparison packets = PointComparison.ofSame(one.packets(), other.packets());
        int clockRate = one.report().clockRate();
        if (packets == null || clockRate == 0 || packets.matched() < 2 * WINDOW) {
            return;
        }
        boolean isForward = one.report()
                        .source()
                        .toString()
                        .compareTo(one.report().destination().toString())
                < 0;
        for (int i = WINDOW; i + WINDOW <= packets.matched(); i++) {
            long jumpNs = difference(packets, i) - difference(packets, i - 1);
            if (Math.abs(jumpNs) < LEAST_NS) {
                continue;
            }
            long untilNowNs = middle(packets, i - WINDOW, i);
            long byNs = middle(packets, i, i + WINDOW) - untilNowNs;
            if (Math.abs(byNs) < LEAST_NS || Math.abs(byNs - jumpNs) > ALIKE_NS) {
                continue;
            }
            long mediaNs = (long) packets.ticksBetween(i - 1, i) * 1_000_000_000L / clockRate;
            long here = packets.firstNs(i) - packets.firstNs(i - 1) - mediaNs;
            long there = packets.secondNs(i) - packets.secondNs(i - 1) - mediaNs;
            boolean isOfFirst = Math.abs(here) > Math.abs(there);
            jumps.add(
                    isOfFirst
                            ? new Jump(
                                    one.point(), other.point(), packets.firstNs(i - 1), -byNs, -untilNowNs, isForward)
                            : new Jump(
                                    other.point(), one.point(), packets.secondNs(i - 1), byNs, untilNowNs, isForward));
        }
    }

    private static long difference(PointComparison packets, int match) {
        return packets.secondNs(match) - packets.firstNs(match);
    }

    private static long middle(PointComparison packets, int from, int until) {
        long[] differences = new long[until - from];
        for (int i = from; i < until; i++) {
            differences[i - from] = difference(packets, i);
        }
        Arrays.sort(differences);
        return differences[differences.length / 2];
    }

    /** Whether both directions show it, or it is more than a queue holds; and no stream that went on meanwhile does not. */
    private boolean isStep(Jump jump) {
        boolean isBoth = false;
        int alike = 0;
        for (Jump other : jumps) {
            alike += other.isOf(jump) ? 1 : 0;
            isBoth |= other.isOf(jump) && other.isForward != jump.isForward;
        }
        if (!isBoth && Math.abs(jump.byNs) < LEAST_OF_ONE_DIRECTION_NS) {
            return false;
        }
        int running = 0;
        for (Track track : tracks) {
            PointStream stream = track.isShared() ? track.at(jump.point) : null;
            running += stream != null && runsAt(stream.packets(), jump) ? 1 : 0;
        }
        return 2 * alike > running;
    }

    private static boolean runsAt(PacketLog log, Jump jump) {
        long fromNs = Math.min(jump.beforeNs, jump.beforeNs + jump.byNs) - TOGETHER_NS;
        long untilNs = Math.max(jump.beforeNs, jump.beforeNs + jump.byNs) + TOGETHER_NS;
        return log.size() > 0 && log.arrivalNs(0) < fromNs && log.arrivalNs(log.size() - 1) > untilNs;
    }

    /** Takes the steps of its capture out of the times of a stream. */
    private void takeBack(PointStream stream, Track track) {
        PacketLog log = stream.packets();
        long takenNs = 0;
        for (Jump step : found.get(stream.point())) {
            // what is before a step was corrected already, so that the step is where it is seen there
            int at = placeOf(step, log, takenNs, stream.report().clockRate());
            if (at < 0) {
                at = isAfter(step, stream, track, takenNs) ? 0 : log.size();
            }
            log.shift(at, -step.byNs);
            takenNs += step.byNs;
        }
    }

    /** The first packet after a step; -1 if the stream does not run through it. */
    private static int placeOf(Jump step, PacketLog log, long takenNs, int clockRate) {
        long beforeNs = step.beforeNs - takenNs;
        for (int i = 1; i < log.size() && clockRate > 0; i++) {
            long gapNs = log.arrivalNs(i) - log.arrivalNs(i - 1);
            long mediaNs = (long) (log.timestamp(i) - log.timestamp(i - 1)) * 1_000_000_000L / clockRate;
            boolean isNear = Math.abs(log.arrivalNs(i - 1) - beforeNs) <= TOGETHER_NS;
            if (isNear && Math.abs(gapNs - mediaNs - step.byNs) <= ALIKE_NS) {
                return i;
            }
        }
        return -1;
    }

    /** By the difference to the other point, or else by time, which is ambiguous if the clock was set back. */
    private static boolean isAfter(Jump step, PointStream stream, Track track, long takenNs) {
        PacketLog log = stream.packets();
        PointStream other = track.at(step.other);
        PointComparison packets =
                other == null || other.point() == stream.point() ? null : PointComparison.ofSame(other.packets(), log);
        if (packets != null) {
            long differenceNs = middle(packets, 0, packets.matched()) - (step.differenceNs - takenNs);
            return Math.abs(differenceNs) > Math.abs(differenceNs - step.byNs);
        }
        return log.size() > 0 && log.arrivalNs(0) > step.beforeNs - takenNs;
    }

    /** Takes the steps out of the times of the messages of a point. */
    void takeBack(int point, PointMessages messages) {
        if (found.get(point).isEmpty()) {
            return;
        }
        List<PointMessage> all = new ArrayList<>();
        messages.dialogs().values().forEach(all::addAll);
        all.sort(Comparator.comparingLong(message -> message.frame));
        long sumNs = 0;
        for (Jump step : found.get(point)) {
            long beforeNs = step.beforeNs - sumNs;
            boolean isAfter = false;
            long lastNs = Long.MIN_VALUE;
            for (PointMessage message : all) {
                long atNs = message.clockNs();
                boolean isBack = step.byNs < 0 && lastNs != Long.MIN_VALUE && atNs < lastNs + step.byNs / 2;
                isAfter |= isBack || atNs > beforeNs + Math.max(0, step.byNs) / 2;
                message.takenNs += isAfter ? step.byNs : 0;
                lastNs = atNs;
            }
            sumNs += step.byNs;
        }
    }

    /** The steps of each capture, by its index, in order. */
    List<List<ClockStep>> steps() {
        return found.stream()
                .map(jumps -> jumps.stream()
                        .map(jump -> new ClockStep(jump.beforeNs, jump.byNs))
                        .toList())
                .toList();
    }

    /**
     * A point as if its clock had not been set. Where it was set back, the latest time may be one before that; then the
     * capture ended with the last packet of media.
     */
    CapturePoint corrected(int index, CapturePoint point) {
        if (found.get(index).isEmpty()) {
            return point;
        }
        long sumNs = 0;
        for (Jump step : found.get(index)) {
            sumNs += step.byNs;
        }
        Jump last = found.get(index).getLast();
        if (last.byNs > 0 || point.untilNs() > last.beforeNs + TOGETHER_NS) {
            return at(point, point.untilNs() - sumNs);
        }
        long untilNs = point.fromNs();
        for (Track track : tracks) {
            PointStream stream = track.at(index);
            PacketLog log = stream == null ? PacketLog.unlimited() : stream.packets();
            untilNs = log.size() == 0 ? untilNs : Math.max(untilNs, log.arrivalNs(log.size() - 1));
        }
        return at(point, untilNs);
    }

    private static CapturePoint at(CapturePoint point, long untilNs) {
        return new CapturePoint(point.fromNs(), untilNs, point.calls(), point.streams(), point.messages());
    }
}
