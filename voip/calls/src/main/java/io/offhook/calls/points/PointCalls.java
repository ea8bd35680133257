package io.offhook.calls.points;

import io.offhook.calls.CallReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The calls of all points, each once: those with a Call-ID in common, and those with a stream in common. */
final class PointCalls {
    private static final class Entry {
        private CallReport report;
        private final List<Integer> points = new ArrayList<>();

        Entry(CallReport report) {
            this.report = report;
        }

        void seen(int point, CallReport call) {
            if (!points.contains(point)) {
                points.add(point);
            }
            if (report.times().invitedNs() == CallReport.NEVER && call.times().invitedNs() != CallReport.NEVER) {
                report = call; // it knows who called whom
            }
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    /** Numbers from 1, by Call-ID. */
    private final Map<String, Integer> numbers = new HashMap<>();

    PointCalls(List<CapturePoint> points, List<Track> tracks) {
        // a B2BUA between the points changes the Call-ID, but not always the media
        Map<String, String> aliases = new HashMap<>();
        for (Track track : tracks) {
            String first = null;
            for (PointStream member : track.members()) {
                CallReport call = member.call();
                if (call == null) {
                    continue;
                }
                if (first == null) {
                    first = call.callId();
                } else if (!call.hasCallId(first)) {
                    aliases.putIfAbsent(call.callId(), first);
                }
            }
        }
        for (int point = 0; point < points.size(); point++) {
            for (CallReport call : points.get(point).calls()) {
                add(point, call, aliases.get(call.callId()));
            }
        }
    }

    private void add(int point, CallReport call, @Nullable String alias) {
        int number = number(call.callId());
        for (CallReport.Dialog dialog : call.dialogs()) {
            number = number == 0 ? number(dialog.callId()) : number;
        }
        number = number == 0 && alias != null ? number(alias) : number;
        if (number == 0) {
            entries.add(new Entry(call));
            number = entries.size();
        }
        entries.get(number - 1).seen(point, call);
        numbers.putIfAbsent(call.callId(), number);
        for (CallReport.Dialog dialog : call.dialogs()) {
            numbers.putIfAbsent(dialog.callId(), number);
        }
    }

    /** The number of the call with a Call-ID, from 1; 0 if there is none. */
    int number(String callId) {
        return numbers.getOrDefault(callId, 0);
    }

    /** The number of a stream's call, at whatever point it has one; 0 if it has none. */
    int number(List<PointStream> members) {
        for (PointStream member : members) {
            CallReport call = member.call();
            if (call != null && number(call.callId()) > 0) {
                return number(call.callId());
            }
        }
        return 0;
    }

    /** The indexes of the captures that saw a call. */
    List<Integer> points(int number) {
        return entries.get(number - 1).points;
    }

    List<PointsReport.Call> calls() {
        return entries.stream()
                .map(entry -> new PointsReport.Call(entry.report, List.copyOf(entry.points)))
                .toList();
    }
}
