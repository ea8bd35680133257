package io.offhook.monitor.recording;

import io.offhook.monitor.Deadlock;
import io.offhook.monitor.JavaLock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Who waited for which lock at a moment, as its record has it. It holds until the next one.
 *
 * @param locks the 32 with the most waiters, if there are more
 * @param deadlocks 32 at most; longer rings than 256 threads are left out
 */
record RecordedLocks(List<JavaLock> locks, List<Deadlock> deadlocks) {
    static final RecordedLocks NONE = new RecordedLocks(List.of(), List.of());

    /** The most locks, and the most deadlocks, in a record. */
    static final int MOST_LOCKS = 32;

    /** The most waiters of a lock, and the most threads in a deadlock. */
    static final int MOST_WAITERS = 256;

    /** What fits a record. */
    static RecordedLocks of(List<JavaLock> locks, List<Deadlock> deadlocks) {
        if (locks.isEmpty() && deadlocks.isEmpty()) {
            return NONE;
        }
        List<JavaLock> most = locks.size() <= MOST_LOCKS
                ? locks
                : locks.stream()
                        .sorted(Comparator.comparingInt(
                                (JavaLock lock) -> -lock.waiters().size()))
                        .limit(MOST_LOCKS)
                        .toList();
        return new RecordedLocks(
                most.stream().map(RecordedLocks::withMostWaiters).toList(),
                deadlocks.stream()
                        .filter(deadlock -> deadlock.waits().size() <= MOST_WAITERS)
                        .limit(MOST_LOCKS)
                        .toList());
    }

    private static JavaLock withMostWaiters(JavaLock lock) {
        return lock.waiters().size() <= MOST_WAITERS
                ? lock
                : new JavaLock(
                        lock.name(), lock.owner(), List.copyOf(lock.waiters().subList(0, MOST_WAITERS)));
    }

    /** How many threads wait. */
    int waiting() {
        return locks.stream().mapToInt(lock -> lock.waiters().size()).sum()
                + deadlocks.stream()
                        .mapToInt(deadlock -> deadlock.waits().size())
                        .sum();
    }

    void write(RecordBytes payload) {
        payload.number(locks.size());
        for (JavaLock lock : locks) {
            String owner = lock.owner();
            payload.text(lock.name()).u8(owner == null ? 0 : 1);
            if (owner != null) {
                payload.text(owner);
            }
            payload.number(lock.waiters().size());
            lock.waiters().forEach(payload::text);
        }
        payload.number(deadlocks.size());
        for (Deadlock deadlock : deadlocks) {
            payload.number(deadlock.waits().size());
            for (Deadlock.Wait wait : deadlock.waits()) {
                payload.text(wait.thread()).text(wait.lock()).text(wait.owner());
            }
        }
    }

    static RecordedLocks read(RecordCursor cursor) {
        List<JavaLock> locks = new ArrayList<>();
        for (int left = cursor.count(); left > 0 && !cursor.isShort(); left--) {
            String name = cursor.text();
            String owner = cursor.u8() == 0 ? null : cursor.text();
            List<String> waiters = new ArrayList<>();
            for (int more = cursor.count(); more > 0 && !cursor.isShort(); more--) {
                waiters.add(cursor.text());
            }
            locks.add(new JavaLock(name, owner, List.copyOf(waiters)));
        }
        List<Deadlock> deadlocks = new ArrayList<>();
        for (int left = cursor.count(); left > 0 && !cursor.isShort(); left--) {
            List<Deadlock.Wait> waits = new ArrayList<>();
            for (int more = cursor.count(); more > 0 && !cursor.isShort(); more--) {
                waits.add(new Deadlock.Wait(cursor.text(), cursor.text(), cursor.text()));
            }
            deadlocks.add(new Deadlock(List.copyOf(waits)));
        }
        return new RecordedLocks(List.copyOf(locks), List.copyOf(deadlocks));
    }
}
