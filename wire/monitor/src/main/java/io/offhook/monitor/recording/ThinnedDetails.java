package io.offhook.monitor.recording;

import io.offhook.monitor.ThreadProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Locks, lanes, hot methods and allocation on their way through a {@link ThinningPass}: of locks, the look at which most threads
 * waited stays; the rest is added up.
 */
final class ThinnedDetails {
    private final LockPeak locks = new LockPeak();
    private final LaneSums lanes = new LaneSums();
    private final ProfileSums profiles = new ProfileSums();
    private final ProfileRecords.Names methods = new ProfileRecords.Names();
    private final RecordBytes payload = new RecordBytes();
    /** Those of the next look. */
    private final List<RecordedLane> nextDefined = new ArrayList<>();

    private RecordedLocks current = RecordedLocks.NONE;
    private LaneRecords nextLanes = LaneRecords.NONE;
    private Map<Integer, ThreadProfile> nextProfiles = Map.of();

    /** Takes a record of a kind that stands before the look that it is of. */
    void record(int kind, RecordCursor cursor) {
        switch (kind) {
            case RecordKind.LOCKS -> current = RecordedLocks.read(cursor);
            case RecordKind.LANE -> nextDefined.add(RecordedLane.read(cursor));
            case RecordKind.LANES -> nextLanes = LaneRecords.read(cursor);
            case RecordKind.METHOD -> methods.add(cursor);
            case RecordKind.PROFILES -> nextProfiles = methods.read(cursor);
            default -> throw new IllegalArgumentException("kind " + kind);
        }
    }

    /** Takes the look that these were of. */
    void add() {
        locks.add(current);
        nextDefined.forEach(lanes::define);
        nextDefined.clear();
        lanes.add(nextLanes);
        nextLanes = LaneRecords.NONE;
        nextProfiles.forEach(profiles::add);
        nextProfiles = Map.of();
    }

    /** Writes what stands before the look that is written next. */
    void write(boolean isMean, RecordSink to) throws IOException {
        RecordedLocks changed = locks.unwritten();
        if (changed != null) {
            payload.clear();
            changed.write(payload);
            to.add(RecordKind.LOCKS, payload);
        }
        locks.written();
        lanes.write(to);
        lanes.written();
        profiles.write(isMean ? ProfileSums.MOST_OF_A_MEAN : ProfileSums.MOST_METHODS, to);
        profiles.forget();
    }

    /** Forgets what was before. */
    void forget() {
        locks.forget();
        lanes.forget();
        profiles.forget();
    }
}
