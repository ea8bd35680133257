package io.offhook.cli.threads;

import io.offhook.monitor.JavaLock;
import io.offhook.monitor.JavaThread;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.ThreadProfile;
import io.offhook.monitor.recording.RecordedLook;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a look knows beside what threads do, by thread: the lock that it waits for, the lane that it is, what it runs most. */
final class LookIndex {
    private final RecordedLook look;
    private final Map<String, JavaLock> locks = new HashMap<>();
    private final Map<Integer, LaneRow> lanes = new HashMap<>();

    LookIndex(RecordedLook look) {
        this.look = look;
        look.java().locks().forEach(lock -> lock.waiters().forEach(waiter -> locks.put(waiter, lock)));
        look.lanes().forEach(lane -> lanes.put(lane.report().nativeId(), lane));
    }

    /** The lock that a thread waits for; null if it waits for none. */
    @Nullable
    JavaLock lock(int id) {
        JavaThread thread = look.java().threads().get(id);
        return thread == null ? null : locks.get(thread.name());
    }

    /** The lane that a thread is; null if it is none. */
    @Nullable
    LaneRow lane(int id) {
        return lanes.get(id);
    }

    /** What became known of a thread since the look before. */
    ThreadProfile profile(int id) {
        return look.profiles().getOrDefault(id, ThreadProfile.NOTHING);
    }
}
