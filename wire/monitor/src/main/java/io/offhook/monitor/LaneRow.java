package io.offhook.monitor;

import io.offhook.linux.lanes.LaneReport;
import java.util.SortedMap;

/**
 * A lane of a process that publishes its lanes, and what it did while it was watched.
 *
 * @param report as it stood at the last look
 * @param processor the one that it ran on last; -1 if it was never seen
 * @param seenOn how many looks found it on each processor
 * @param last in the last interval
 * @param total since it was first seen
 */
public record LaneRow(LaneReport report, int processor, SortedMap<Integer, Long> seenOn, LaneUse last, LaneUse total) {
    /** Returns whether it was seen on another processor than the one that it is pinned to. */
    public boolean isOutOfPlace() {
        return report.pinnedTo() >= 0 && seenOn.keySet().stream().anyMatch(seen -> seen != report.pinnedTo());
    }
}
