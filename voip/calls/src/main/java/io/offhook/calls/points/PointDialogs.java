package io.offhook.calls.points;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The dialogs that two points have, and which of their messages are the same. */
final class PointDialogs {
    private final List<CapturePoint> points;
    private long shared;

    PointDialogs(List<CapturePoint> points) {
        this.points = points;
        Set<PointMessage> seen = new HashSet<>();
        for (int i = 0; i < points.size(); i++) {
            for (int j = i + 1; j < points.size(); j++) {
                for (Pair pair : pairs(i, j)) {
                    for (Match match : pair.matches) {
                        // at a third point it is still the same message
                        boolean isNew = seen.add(match.first);
                        shared += seen.add(match.second) && isNew ? 1 : 0;
                    }
                }
            }
        }
    }

    /**
     * A dialog at two points.
     *
     * @param first its messages at the first of them
     * @param second at the second
     * @param isSameHop whether no proxy is between the points, so that each message must be at both
     * @param matches the messages that both have
     */
    record Pair(List<PointMessage> first, List<PointMessage> second, boolean isSameHop, List<Match> matches) {}

    /** A message at two points. */
    record Match(PointMessage first, PointMessage second) {}

    /** The dialogs that two captures have in common, given by their indexes, in the order of the first one. */
    List<Pair> pairs(int first, int second) {
        Map<Long, List<PointMessage>> others = points.get(second).messages().dialogs();
        List<Pair> pairs = new ArrayList<>();
        points.get(first).messages().dialogs().forEach((callId, messages) -> {
            List<PointMessage> there = others.get(callId);
            if (there != null) {
                pairs.add(pair(messages, there));
            }
        });
        pairs.sort((a, b) -> Long.compare(a.first.getFirst().frame, b.first.getFirst().frame));
        return pairs;
    }

    private static Pair pair(List<PointMessage> first, List<PointMessage> second) {
        List<Match> matches = matches(first, second, true);
        return matches.isEmpty()
                ? new Pair(first, second, false, matches(first, second, false))
                : new Pair(first, second, true, matches);
    }

    private static List<Match> matches(List<PointMessage> first, List<PointMessage> second, boolean isSameHop) {
        Map<Long, PointMessage> there = new HashMap<>();
        for (PointMessage message : second) {
            if (isSameHop || !message.isHopByHop) {
                there.putIfAbsent(isSameHop ? message.hopKey : message.dialogKey, message);
            }
        }
        List<Match> matches = new ArrayList<>();
        for (PointMessage message : first) {
            PointMessage other = there.remove(isSameHop ? message.hopKey : message.dialogKey);
            if (other != null) {
                matches.add(new Match(message, other));
            }
        }
        return matches;
    }

    /** The number of messages that two points have. */
    long shared() {
        return shared;
    }
}
