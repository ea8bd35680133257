package io.offhook.monitor.recording;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What lanes did since something was written of them. Each is defined before its first row. */
final class LaneSums {
    private final Map<Integer, Lane> lanes = new TreeMap<>();
    private final RecordBytes payload = new RecordBytes();
    private long unpublished;

    private static final class Lane {
        RecordedLane defined;
        /** What it had done when something was written of it last. */
        final LaneDelta before;

        @Nullable
        LaneDelta sum;

        boolean isWritten;

        Lane(RecordedLane defined) {
            this.defined = defined;
            before = new LaneDelta(defined.index());
            before.add(defined.before());
        }
    }

    /** A lane that begins, or of which something else than what it does has changed. */
    void define(RecordedLane lane) {
        Lane known = lanes.get(lane.index());
        if (known == null) {
            lanes.put(lane.index(), new Lane(lane));
        } else if (!known.defined.isAs(lane)) {
            known.defined = lane;
            known.isWritten = false;
        }
    }

    /** Adds a look. */
    void add(LaneRecords look) {
        unpublished = Math.max(unpublished, look.unpublished());
        for (LaneDelta row : look.rows()) {
            Lane lane = lanes.get(row.index);
            if (lane != null) {
                LaneDelta sum = lane.sum == null ? new LaneDelta(row.index) : lane.sum;
                sum.add(row);
                lane.sum = sum;
            }
        }
    }

    /** Appends what there is, if anything. */
    void write(RecordSink to) throws IOException {
        List<LaneDelta> rows = new ArrayList<>();
        for (Lane lane : lanes.values()) {
            if (lane.sum != null && !lane.isWritten) {
                payload.clear();
                lane.defined.with(lane.before).write(payload);
                to.add(RecordKind.LANE, payload);
            }
            if (lane.sum != null) {
                rows.add(lane.sum);
            }
        }
        LaneRecords all = new LaneRecords(unpublished, rows);
        if (!all.isEmpty()) {
            payload.clear();
            all.write(payload);
            to.add(RecordKind.LANES, payload);
        }
    }

    /** It was written. Lanes without a row are gone. */
    void written() {
        lanes.values().removeIf(lane -> lane.sum == null);
        lanes.values().forEach(lane -> lane.isWritten = true);
        leave();
    }

    /** It will not be written. */
    void forget() {
        leave();
        writeAgain();
    }

    private void leave() {
        unpublished = 0;
        for (Lane lane : lanes.values()) {
            if (lane.sum != null) {
                lane.before.add(lane.sum);
                lane.sum = null;
            }
        }
    }

    /** What was written may be gone. */
    void writeAgain() {
        lanes.values().forEach(lane -> lane.isWritten = false);
    }
}
