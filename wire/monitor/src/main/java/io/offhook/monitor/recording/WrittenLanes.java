package io.offhook.monitor.recording;

import io.offhook.linux.lanes.LaneReport;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.LaneUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes rows of records of what a watch of lanes returns. */
final class WrittenLanes {
    private static final int NS_A_US = 1000;

    private final Map<Key, Known> known = new HashMap<>();
    private int nextIndex;

    /** Two lanes may have one name; a thread may be a lane twice. */
    private record Key(String name, int nativeId) {}

    /** A lane that is published. */
    private static final class Known {
        final int index;
        private long restBusyNs;
        private long restIdleNs;

        Known(int index) {
            this.index = index;
        }

        /** What it did since the look before: microseconds, what is less is carried on, so that sums are exact. */
        LaneDelta delta(LaneReport report, LaneUse last) {
            LaneDelta delta = new LaneDelta(index);
            restBusyNs += last.busyNs();
            restIdleNs += last.idleNs();
            delta.busyUs = restBusyNs / NS_A_US;
            delta.idleUs = restIdleNs / NS_A_US;
            restBusyNs %= NS_A_US;
            restIdleNs %= NS_A_US;
            delta.rounds = last.rounds();
            delta.frames = last.frames();
            delta.stalls = last.stalls();
            delta.drops = last.drops();
            delta.longestUs = report.longestStallNs() / NS_A_US;
            delta.state = PlayedLanes.number(report.state());
            delta.stateUs = report.stateNs() / NS_A_US;
            LaneReport.Queue queue = report.queue();
            delta.depth = queue == null ? 0 : queue.depth();
            delta.most = queue == null ? 0 : queue.most();
            return delta;
        }
    }

    /** Adds a look. */
    void add(List<LaneRow> rows, long unpublished, LaneSums to) {
        List<LaneDelta> deltas = new ArrayList<>();
        Set<Key> there = new HashSet<>();
        for (LaneRow row : rows) {
            LaneReport report = row.report();
            Key key = new Key(report.name(), report.nativeId());
            if (there.add(key)) {
                Known lane = known.computeIfAbsent(key, _ -> new Known(nextIndex++));
                to.define(defined(lane.index, report, row.last()));
                deltas.add(lane.delta(report, row.last()));
            }
        }
        known.keySet().retainAll(there);
        deltas.sort((a, b) -> Integer.compare(a.index, b.index));
        to.add(new LaneRecords(unpublished, deltas));
    }

    private static RecordedLane defined(int index, LaneReport report, LaneUse last) {
        LaneDelta before = new LaneDelta(index);
        before.busyUs = Math.max(0, report.busyNs() - last.busyNs()) / NS_A_US;
        before.idleUs = Math.max(0, report.idleNs() - last.idleNs()) / NS_A_US;
        before.rounds = Math.max(0, report.rounds() - last.rounds());
        before.frames = Math.max(0, report.frames() - last.frames());
        before.stalls = Math.max(0, report.stalls() - last.stalls());
        before.drops = Math.max(0, report.drops() - last.drops());
        LaneReport.Queue queue = report.queue();
        return new RecordedLane(
                index,
                report.nativeId(),
                report.pinnedTo(),
                report.name(),
                queue == null ? "" : queue.what(),
                queue == null ? 0 : queue.room(),
                before);
    }
}
