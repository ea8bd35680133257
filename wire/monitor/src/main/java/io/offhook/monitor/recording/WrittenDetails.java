package io.offhook.monitor.recording;

import java.io.IOException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What is recorded beside what threads do: locks, lanes, hot methods and allocation; kept until it is written. */
final class WrittenDetails {
    private final LockPeak locks = new LockPeak();
    private final WrittenLanes lanes = new WrittenLanes();
    private final LaneSums laneSums = new LaneSums();
    private final ProfileSums profiles = new ProfileSums();
    private final RecordBytes payload = new RecordBytes();

    /** @param indexes the index in the file of the thread with this number; null if none lives */
    void add(RecordedLook look, IntFunction<@Nullable Integer> indexes) {
        locks.add(RecordedLocks.of(look.java().locks(), look.java().deadlocks()));
        lanes.add(look.lanes(), look.unpublishedLanes(), laneSums);
        look.profiles().forEach((id, profile) -> {
            Integer index = indexes.apply(id);
            if (index != null) {
                profiles.add(index, profile);
            }
        });
    }

    /** Appends what stands before the look that is written next. */
    void write(RecordSink to) throws IOException {
        RecordedLocks changed = locks.unwritten();
        if (changed != null) {
            payload.clear();
            changed.write(payload);
            to.add(RecordKind.LOCKS, payload);
        }
        laneSums.write(to);
        profiles.write(ProfileSums.MOST_METHODS, to);
    }

    /** It is in the file. */
    void written() {
        locks.written();
        laneSums.written();
        profiles.forget();
    }

    /** What was written before may be gone, or is not in the file. */
    void writeAgain() {
        locks.writeAgain();
        laneSums.writeAgain();
        profiles.writeAgain();
    }
}
