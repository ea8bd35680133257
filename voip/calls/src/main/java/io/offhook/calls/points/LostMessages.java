package io.offhook.calls.points;

import io.offhook.packet.IpAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the SIP messages that a point should have, as others of their dialogs passed it, and lacks. */
final class LostMessages {
    private final List<CapturePoint> points;
    private final List<@Nullable ClockLine> clocks;
    private final PointCalls calls;
    private final int most;
    /** By message and the point that lacks it: as seen at the point next to that one. */
    private final Map<Missing, Nearest> found = new HashMap<>();

    private final List<LostMessage> messages;
    private long leftOut;

    private record Missing(long dialogKey, int missingAt) {}

    /** @param atNs on the clock of A */
    private record Nearest(LostMessage message, long atNs) {}

    /** From which host to which. */
    private record Hosts(IpAddress source, IpAddress destination) {
        static Hosts of(PointMessage message) {
            return new Hosts(message.source.address(), message.destination.address());
        }

        Hosts reversed() {
            return new Hosts(destination, source);
        }
    }

    LostMessages(
            List<CapturePoint> points,
            PointDialogs dialogs,
            List<@Nullable ClockLine> clocks,
            PointCalls calls,
            int most) {
        this.points = points;
        this.clocks = clocks;
        this.calls = calls;
        this.most = most;
        for (int i = 0; i < points.size(); i++) {
            for (int j = i + 1; j < points.size(); j++) {
                ClockLine one = clocks.get(i);
                ClockLine other = clocks.get(j);
                if (one != null && other != null) {
                    for (PointDialogs.Pair pair : dialogs.pairs(i, j)) {
                        new Comparison(i, one, j, other, pair).run();
                    }
                }
            }
        }
        messages = new ArrayList<>();
        found.values().forEach(nearest -> messages.add(nearest.message));
        messages.sort(Comparator.comparingInt(
                        (LostMessage message) -> message.callNumber() == 0 ? Integer.MAX_VALUE : message.callNumber())
                .thenComparingLong(message -> message.seen().atNs())
                .thenComparingInt(LostMessage::missingAt));
    }

    /** A dialog at two points. */
    private final class Comparison {
        private final int first;
        private final int second;
        private final ClockLine firstClock;
        private final ClockLine secondClock;
        private final PointDialogs.Pair pair;
        /** Differences of arrival, second less first, by the hosts at the first point. */
        private final Map<Hosts, List<Long>> delays = new HashMap<>();

        private final Map<Hosts, List<Long>> delaysAtSecond = new HashMap<>();

        Comparison(int first, ClockLine firstClock, int second, ClockLine secondClock, PointDialogs.Pair pair) {
            this.first = first;
            this.firstClock = firstClock;
            this.second = second;
            this.secondClock = secondClock;
            this.pair = pair;
        }

        void run() {
            Set<PointMessage> matched = new HashSet<>();
            for (PointDialogs.Match match : pair.matches()) {
                long delay = secondClock.toA(match.second().clockNs())
                        - firstClock.toA(match.first().clockNs());
                addDelay(delays, match.first(), delay);
                addDelay(delaysAtSecond, match.second(), -delay);
                matched.add(match.first());
                matched.add(match.second());
            }
            if (matched.isEmpty()) {
                return; // another Call-ID beyond a B2BUA has nothing in common, this one only by chance
            }
            missing(pair.first(), first, firstClock, pair.second(), second, delays, matched);
            missing(pair.second(), second, secondClock, pair.first(), first, delaysAtSecond, matched);
            if (pair.isSameHop()) {
                transmissions();
            }
        }

        private static void addDelay(Map<Hosts, List<Long>> delays, PointMessage message, long delay) {
            delays.computeIfAbsent(Hosts.of(message), _ -> new ArrayList<>()).add(delay);
        }

        private void missing(
                List<PointMessage> here,
                int point,
                ClockLine clock,
                List<PointMessage> there,
                int otherPoint,
                Map<Hosts, List<Long>> delays,
                Set<PointMessage> matched) {
            for (PointMessage message : here) {
                LostMessage.Way way = way(message, delays);
                boolean isDue = pair.isSameHop()
                        // a proxy may send what no other point has, but forwards what it gets
                        || way == LostMessage.Way.LOST
                                && !message.isHopByHop
                                && !isAnsweredBetween(message, here, there);
                if (!matched.contains(message)
                        && isDue
                        && isOnSharedHop(message, delays)
                        && passed(message, clock, otherPoint)) {
                    add(message, point, otherPoint, way, message.transmissions);
                }
            }
        }

        /** Whether other messages between the same hosts are at both points: a proxy's capture has further hops. */
        private static boolean isOnSharedHop(PointMessage message, Map<Hosts, List<Long>> delays) {
            Hosts hosts = Hosts.of(message);
            return delays.containsKey(hosts) || delays.containsKey(hosts.reversed());
        }

        /** Transmissions of a message that was repeated until it arrived. */
        private void transmissions() {
            for (PointDialogs.Match match : pair.matches()) {
                int missing = match.first().transmissions - match.second().transmissions;
                LostMessage.Way way = way(match.first(), delays);
                if (missing > 0 && way == LostMessage.Way.LOST && passed(match.first(), firstClock, second)) {
                    add(match.first(), first, second, LostMessage.Way.LOST, missing);
                } else if (missing < 0
                        && way == LostMessage.Way.NOT_CAPTURED
                        && passed(match.second(), secondClock, first)) {
                    add(match.second(), second, first, LostMessage.Way.LOST, -missing);
                }
            }
        }

        /** Whether the other point captured while a message must have passed it, each time that it was sent. */
        private boolean passed(PointMessage message, ClockLine clock, int otherPoint) {
            ClockLine otherClock = clocks.get(otherPoint);
            CapturePoint other = points.get(otherPoint);
            return otherClock != null
                    && clock.toA(message.clockNs()) >= otherClock.toA(other.fromNs())
                    && clock.toA(message.lastNs - message.takenNs) <= otherClock.toA(other.untilNs());
        }

        /** Whether a proxy between the points answered a request by itself. */
        private static boolean isAnsweredBetween(
                PointMessage message, List<PointMessage> here, List<PointMessage> there) {
            return message.isRequest && hasResponse(message, here) && !hasResponse(message, there);
        }

        private static boolean hasResponse(PointMessage request, List<PointMessage> messages) {
            return messages.stream()
                    .anyMatch(any -> !any.isRequest && any.cseq == request.cseq && !any.what.startsWith("100 "));
        }

        private LostMessage.Way way(PointMessage message, Map<Hosts, List<Long>> delays) {
            if (!firstClock.isComparable() || !secondClock.isComparable()) {
                return LostMessage.Way.UNKNOWN;
            }
            long sum = 0;
            for (long delay : delays.getOrDefault(Hosts.of(message), List.of())) {
                sum += Long.signum(delay);
            }
            for (long delay : delays.getOrDefault(Hosts.of(message).reversed(), List.of())) {
                sum -= Long.signum(delay);
            }
            return sum == 0 ? LostMessage.Way.UNKNOWN : sum > 0 ? LostMessage.Way.LOST : LostMessage.Way.NOT_CAPTURED;
        }
    }

    private void add(PointMessage message, int point, int missingAt, LostMessage.Way way, int missing) {
        Missing key = new Missing(message.dialogKey, missingAt);
        ClockLine clock = clocks.get(point);
        long atNs = clock == null ? message.clockNs() : clock.toA(message.clockNs());
        Nearest known = found.get(key);
        if (known != null
                && (known.atNs >= atNs || known.message.way() == LostMessage.Way.LOST && way != known.message.way())) {
            return;
        }
        if (known == null && found.size() == most) {
            leftOut++;
            return;
        }
        LostMessage lost = new LostMessage(
                calls.number(message.callId),
                message.callId,
                message.what,
                message.cseq,
                new LostMessage.Seen(point, message.frame, message.atNs, message.source, message.destination),
                missingAt,
                way,
                message.transmissions,
                missing);
        found.put(key, new Nearest(lost, atNs));
    }

    List<LostMessage> messages() {
        return messages;
    }

    /** Messages beyond the limit. */
    long leftOut() {
        return leftOut;
    }
}
