package io.offhook.cli.threads;

import io.offhook.linux.lanes.LaneReport;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.LaneUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What each lane did in the part of a recording that is looked at, also those that are not published any more. */
final class LaneTotals {
    /** The most lanes; of a process that has more, one after the other, the later ones are left out. */
    static final int MOST = 1000;

    private static final LaneUse NONE = new LaneUse(0, 0, 0, 0, 0, 0, 0);

    private final Map<Key, Total> all = new LinkedHashMap<>();
    private long unpublished;

    private record Key(String name, int nativeId) {}

    /** A lane. */
    private static final class Total {
        private LaneRow row;
        private LaneUse use = NONE;
        private LaneUse busiest = NONE;
        private final SortedMap<Integer, Long> seenOn = new TreeMap<>();

        Total(LaneRow row) {
            this.row = row;
        }

        private void add(LaneRow next) {
            row = next;
            use = use.plus(next.last());
            if (Double.isNaN(busiest.duty()) || next.last().duty() > busiest.duty()) {
                busiest = next.last();
            }
            if (next.processor() >= 0 && next.report().state() != LaneReport.State.ENDED) {
                seenOn.merge(next.processor(), 1L, Long::sum);
            }
        }

        private LaneRow with(LaneUse last) {
            return new LaneRow(row.report(), row.processor(), seenOn, last, use);
        }
    }

    /** Adds a look. */
    void add(List<LaneRow> lanes, long more) {
        unpublished = Math.max(unpublished, more);
        for (LaneRow lane : lanes) {
            Key key = new Key(lane.report().name(), lane.report().nativeId());
            if (all.size() < MOST || all.containsKey(key)) {
                all.computeIfAbsent(key, _ -> new Total(lane)).add(lane);
            }
        }
    }

    /** The lanes in the order in which they were seen first; {@code last} is what each did in its last look. */
    List<LaneRow> rows() {
        List<LaneRow> rows = new ArrayList<>(all.size());
        all.values().forEach(lane -> rows.add(lane.with(lane.row.last())));
        return rows;
    }

    /** As {@link #rows}, but {@code last} is the look in which each had the least rest. */
    List<LaneRow> busiest() {
        List<LaneRow> rows = new ArrayList<>(all.size());
        all.values().forEach(lane -> rows.add(lane.with(lane.busiest)));
        return rows;
    }

    /** Lanes that had no room on a board. */
    long unpublished() {
        return unpublished;
    }
}
