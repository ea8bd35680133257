package io.offhook.cli.xray;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The messages of the calls that were heard last, and their gaps, for ladders. Bounded: the call that was silent for longest goes first. */
final class CallLog {
    private static final int MOST_CALLS = 5000;
    private static final int MOST_LINES = 100;

    private final Map<String, Logged> calls = new LinkedHashMap<>(16, 0.75f, true);

    /** A message, as the process saw it. */
    record Line(SeenMessage message, boolean isIn) {}

    /** What is kept of a call. */
    static final class Logged {
        private final List<Line> lines = new ArrayList<>();
        private final List<JudgedGap> gaps = new ArrayList<>();
        private int left;

        /** The first messages. */
        List<Line> lines() {
            return lines;
        }

        /** The gap that ends with a message that the process sent, and those that end without. */
        List<JudgedGap> gaps() {
            return gaps;
        }

        /** How many messages followed. */
        int left() {
            return left;
        }
    }

    void add(SeenMessage message, boolean isIn) {
        Logged call = of(message.callId());
        if (call.lines.size() < MOST_LINES) {
            call.lines.add(new Line(message, isIn));
        } else {
            call.left++;
        }
    }

    void add(JudgedGap judged) {
        Logged call = calls.get(judged.gap().came().callId());
        if (call != null && call.gaps.size() < MOST_LINES) {
            call.gaps.add(judged);
        }
    }

    /** What is kept of a call; nothing of one that was forgotten. */
    Logged of(String callId) {
        Logged call = calls.computeIfAbsent(callId, _ -> new Logged());
        if (calls.size() > MOST_CALLS) {
            calls.remove(calls.keySet().iterator().next());
        }
        return call;
    }
}
