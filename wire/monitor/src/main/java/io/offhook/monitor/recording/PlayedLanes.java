package io.offhook.monitor.recording;

import io.offhook.linux.lanes.LaneReport;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.LaneUse;
import io.offhook.monitor.ThreadRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the rows of a watch of lanes of their records, joined with the processors of their threads. */
final class PlayedLanes {
    private static final int NS_A_US = 1000;
    private static final LaneUse NONE = new LaneUse(0, 0, 0, 0, 0, 0, 0);

    private final Map<Integer, Lane> lanes = new TreeMap<>();

    private static final class Lane {
        RecordedLane defined;
        LaneDelta done;
        LaneUse total = NONE;
        int processor = -1;
        final SortedMap<Integer, Long> seenOn = new TreeMap<>();

        Lane(RecordedLane defined) {
            this.defined = defined;
            done = new LaneDelta(defined.index());
        }

        LaneRow row(LaneDelta last, long spanUs) {
            done.add(last);
            LaneUse use = new LaneUse(
                    spanUs * NS_A_US,
                    last.busyUs * NS_A_US,
                    last.idleUs * NS_A_US,
                    last.rounds,
                    last.frames,
                    last.stalls,
                    last.drops);
            total = total.plus(use);
            LaneReport report = new LaneReport(
                    new LaneReport.Identity(defined.name(), defined.nativeId(), defined.pinnedTo()),
                    state(last.state),
                    last.stateUs * NS_A_US,
                    new LaneReport.Counts(
                            done.busyUs * NS_A_US,
                            done.idleUs * NS_A_US,
                            done.rounds,
                            done.frames,
                            last.longestUs * NS_A_US,
                            done.stalls,
                            done.drops),
                    defined.room() == 0
                            ? null
                            : new LaneReport.Queue(defined.queue(), last.depth, last.most, defined.room()));
            return new LaneRow(report, processor, new TreeMap<>(seenOn), use, total);
        }

        void seen(@Nullable ThreadRow thread, int state) {
            if (thread != null && !thread.isEnded() && state(state) != LaneReport.State.ENDED) {
                processor = thread.processor();
                seenOn.merge(processor, 1L, Long::sum);
            }
        }
    }

    /** As the format numbers it. */
    static int number(LaneReport.State state) {
        return switch (state) {
            case WORKING -> 1;
            case WAITING -> 2;
            case ENDED -> 3;
        };
    }

    private static LaneReport.State state(int number) {
        return switch (number) {
            case 2 -> LaneReport.State.WAITING;
            case 3 -> LaneReport.State.ENDED;
            default -> LaneReport.State.WORKING;
        };
    }

    /** A lane that begins, or is otherwise than before. */
    void define(RecordedLane lane) {
        Lane known = lanes.computeIfAbsent(lane.index(), _ -> new Lane(lane));
        known.defined = lane;
        known.done = new LaneDelta(lane.index());
        known.done.add(lane.before());
    }

    /** Takes a look. */
    List<LaneRow> play(long spanUs, List<LaneDelta> rows, List<ThreadRow> threads) {
        Map<Integer, ThreadRow> byId = new HashMap<>();
        if (!rows.isEmpty()) {
            threads.forEach(thread -> byId.put(thread.id(), thread));
        }
        List<LaneRow> played = new ArrayList<>(rows.size());
        Set<Integer> there = new HashSet<>();
        for (LaneDelta row : rows) {
            Lane lane = lanes.get(row.index);
            if (lane != null && there.add(row.index)) {
                lane.seen(byId.get(lane.defined.nativeId()), row.state);
                played.add(lane.row(row, spanUs));
            }
        }
        lanes.keySet().retainAll(there);
        return played;
    }
}
