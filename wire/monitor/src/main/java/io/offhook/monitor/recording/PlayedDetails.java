package io.offhook.monitor.recording;

import io.offhook.monitor.JavaLook;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.ThreadProfile;
import io.offhook.monitor.ThreadRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Locks, lanes, hot methods and allocation of the records of a look. */
final class PlayedDetails {
    private final PlayedLanes lanes = new PlayedLanes();
    private final ProfileRecords.Names methods = new ProfileRecords.Names();
    private RecordedLocks locks = RecordedLocks.NONE;
    private LaneRecords nextLanes = LaneRecords.NONE;
    private Map<Integer, ThreadProfile> nextProfiles = Map.of();

    /** Takes a record of a kind that stands before the look that it is of; others are of a newer version. */
    void record(int kind, RecordCursor cursor) {
        switch (kind) {
            case RecordKind.LOCKS -> locks = RecordedLocks.read(cursor);
            case RecordKind.LANE -> lanes.define(RecordedLane.read(cursor));
            case RecordKind.LANES -> nextLanes = LaneRecords.read(cursor);
            case RecordKind.METHOD -> methods.add(cursor);
            case RecordKind.PROFILES -> nextProfiles = methods.read(cursor);
            default -> {
                // of a newer version
            }
        }
    }

    /** Who waits for which lock. */
    RecordedLocks locks() {
        return locks;
    }

    /**
     * Takes the look that these were of.
     *
     * @param ids the numbers of the kernel for the threads that live, by index
     */
    RecordedLook play(Look look, Map<Integer, Integer> ids, List<ThreadRow> rows, JavaLook java) {
        List<LaneRow> played = lanes.play(look.spanUs(), nextLanes.rows(), rows);
        Map<Integer, ThreadProfile> profiles = new HashMap<>();
        nextProfiles.forEach((index, profile) -> {
            Integer id = ids.get(index);
            if (id != null) {
                profiles.put(id, profile);
            }
        });
        RecordedLook whole = new RecordedLook(
                look.atNs(), look.meanOf(), rows, java, played, nextLanes.unpublished(), Map.copyOf(profiles));
        nextLanes = LaneRecords.NONE;
        nextProfiles = Map.of();
        return whole;
    }
}
