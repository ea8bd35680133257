package io.offhook.calls.points;

import io.offhook.calls.CallReport;
import io.offhook.calls.Side;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The clocks of all points against that of the first: directly, or by way of a point that shares something with both. */
final class PointClocks {
    /** Dialogs that are looked at: beyond this number, more of them do not make an estimate better. */
    private static final int MOST_DIALOGS = 10_000;

    private final List<Track> tracks;
    private final PointDialogs dialogs;
    private final @Nullable ClockLine[] lines;

    PointClocks(int points, List<Track> tracks, PointDialogs dialogs) {
        this.tracks = tracks;
        this.dialogs = dialogs;
        lines = new @Nullable ClockLine[points];
        lines[0] = ClockLine.SAME;
        boolean isFound = true;
        while (isFound) {
            isFound = false;
            for (int point = 1; point < points; point++) {
                if (lines[point] == null) {
                    lines[point] = estimate(point);
                    isFound |= lines[point] != null;
                }
            }
        }
    }

    List<@Nullable ClockLine> lines() {
        return Arrays.asList(lines);
    }

    private @Nullable ClockLine estimate(int point) {
        for (int known = 0; known < lines.length; known++) {
            ClockLine clock = lines[known];
            ClockLine line = clock == null || known == point ? null : ClockEstimate.of(samples(known, clock, point));
            if (clock != null && line != null) {
                boolean isWorse = !clock.isComparable() && line.isComparable();
                return isWorse ? oneDirection(line) : line;
            }
        }
        return null;
    }

    /** What rests on a clock that is not comparable is not comparable either. */
    private static ClockLine oneDirection(ClockLine line) {
        return new ClockLine(
                line.atNs(),
                line.offsetNs(),
                Double.NaN,
                line.driftPpm(),
                line.driftErrorPpm(),
                ClockLine.Basis.ONE_DIRECTION,
                line.samples());
    }

    private List<ClockSamples> samples(int known, ClockLine clock, int point) {
        List<ClockSamples> samples = new ArrayList<>();
        for (Track track : tracks) {
            PointStream first = track.at(known);
            PointStream second = track.at(point);
            PointComparison packets =
                    first == null || second == null ? null : PointComparison.ofSame(first.packets(), second.packets());
            if (first != null && second != null && packets != null) {
                samples.add(media(first, second, packets, clock));
            }
        }
        signalling(known, clock, point, samples);
        return samples;
    }

    private static ClockSamples media(PointStream first, PointStream second, PointComparison packets, ClockLine clock) {
        long[] firstNs = new long[packets.matched()];
        long[] differenceNs = new long[packets.matched()];
        for (int i = 0; i < firstNs.length; i++) {
            firstNs[i] = clock.toA(packets.firstNs(i));
            differenceNs[i] = packets.secondNs(i) - firstNs[i];
        }
        CallReport call = first.call();
        Side from = first.report().from();
        Path path = Path.of(first.report().source(), first.report().destination());
        return new ClockSamples(
                path.hosts,
                path.isForward,
                call == null || from == null ? null : call.callId(),
                from == Side.CALLER,
                first.orderByAddresses(second),
                true,
                firstNs,
                differenceNs);
    }

    /** Messages by path: what runs between the same hosts, in both directions. */
    private void signalling(int known, ClockLine clock, int point, List<ClockSamples> samples) {
        Map<Path, List<PointDialogs.Match>> paths = new HashMap<>();
        List<PointDialogs.Pair> pairs = dialogs.pairs(known, point);
        for (PointDialogs.Pair pair : pairs.subList(0, Math.min(pairs.size(), MOST_DIALOGS))) {
            for (PointDialogs.Match match : pair.matches()) {
                paths.computeIfAbsent(Path.of(match.first().source, match.first().destination), _ -> new ArrayList<>())
                        .add(match);
            }
        }
        paths.forEach((path, matches) -> {
            long[] firstNs = new long[matches.size()];
            long[] differenceNs = new long[matches.size()];
            for (int i = 0; i < firstNs.length; i++) {
                firstNs[i] = clock.toA(matches.get(i).first().clockNs());
                differenceNs[i] = matches.get(i).second().clockNs() - firstNs[i];
            }
            samples.add(new ClockSamples(path.hosts, path.isForward, null, false, 0, false, firstNs, differenceNs));
        });
    }

    /** Two hosts, and one of the directions between them. */
    private record Path(String hosts, boolean isForward) {
        static Path of(Endpoint source, Endpoint destination) {
            // on one machine, ports tell the ends apart
            boolean isOneHost = source.address().equals(destination.address());
            String from = isOneHost ? source.toString() : source.address().toString();
            String to =
                    isOneHost ? destination.toString() : destination.address().toString();
            boolean isForward = from.compareTo(to) <= 0;
            return new Path(isForward ? from + "|" + to : to + "|" + from, isForward);
        }
    }
}
