package io.offhook.store;

import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What waits for the thread that writes, within limits. */
final class WriterQueue {
    /** From here on it is written without waiting for more. */
    private static final long MUCH_BYTES = 8 << 20;

    /** What a message takes beside its bytes, roughly. */
    private static final int MESSAGE_BYTES = 150;

    private final WriterSettings settings;
    private final WriterTotals totals;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    private Batch waiting = new Batch();
    private long waitingBytes;
    /** Of what was taken, and is not written yet. */
    private long takenBytes;

    private long takenCalls;
    private boolean isBusy;
    private boolean isClosed;

    WriterQueue(WriterSettings settings, WriterTotals totals) {
        this.settings = settings;
        this.totals = totals;
    }

    void add(CapturedMessage message) {
        long bytes = (long) message.octets().length + MESSAGE_BYTES;
        lock.lock();
        try {
            if (isClosed || waitingBytes + takenBytes + bytes > settings.queueBytes()) {
                totals.messageLost();
                return;
            }
            waiting.add(message);
            waitingBytes += bytes;
            if (waitingBytes >= MUCH_BYTES) {
                filled.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    void addCalls(List<Batch.PendingCall> calls) {
        lock.lock();
        try {
            long lost = 0;
            for (Batch.PendingCall call : calls) {
                boolean isThere = waiting.calls().containsKey(call.row().id());
                if (!isClosed && (isThere || waiting.calls().size() + takenCalls < settings.queueCalls())) {
                    waiting.add(call);
                } else {
                    lost++;
                }
            }
            totals.callsLost(lost);
        } finally {
            lock.unlock();
        }
    }

    void addRegistrations(List<RegistrationRow> rows) {
        lock.lock();
        try {
            long lost = 0;
            for (RegistrationRow row : rows) {
                boolean isThere = waiting.registrations().containsKey(row.id());
                if (!isClosed && (isThere || waiting.registrations().size() < settings.queueCalls())) {
                    waiting.add(row);
                } else {
                    lost++;
                }
            }
            totals.registrationsLost(lost);
        } finally {
            lock.unlock();
        }
    }

    void addDrops(List<DropRow> rows) {
        lock.lock();
        try {
            for (DropRow row : rows) {
                if (waiting.drops().size() < settings.queueCalls()) {
                    waiting.add(row);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a while, or until much waits.
     *
     * @param isRetry whether to wait even then
     * @return false once the queue is closed
     */
    boolean await(long ns, boolean isRetry) {
        lock.lock();
        try {
            long left = ns;
            while (!isClosed && left > 0 && (isRetry || waitingBytes < MUCH_BYTES)) {
                left = filled.awaitNanos(left);
            }
            return !isClosed;
        } catch (InterruptedException e) {
            return !isClosed; // nobody interrupts this thread but the end of the process
        } finally {
            lock.unlock();
        }
    }

    /** Takes all that waits; until {@link #done} it counts as waiting. */
    Batch take() {
        lock.lock();
        try {
            Batch taken = waiting;
            waiting = new Batch();
            takenBytes = waitingBytes;
            takenCalls = taken.calls().size();
            waitingBytes = 0;
            isBusy = !taken.isEmpty();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** What was taken is written, or lost. */
    void done() {
        lock.lock();
        try {
            takenBytes = 0;
            takenCalls = 0;
            isBusy = false;
            emptied.signalAll();
        } finally {
            lock.unlock();
        }
    }

    long bytes() {
        lock.lock();
        try {
            return waitingBytes + takenBytes;
        } finally {
            lock.unlock();
        }
    }

    boolean awaitEmpty(long ns) throws InterruptedException {
        lock.lock();
        try {
            long left = ns;
            while (isBusy || !waiting.isEmpty()) {
                if (left <= 0 || isClosed) {
                    return false;
                }
                left = emptied.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing any more. */
    void close() {
        lock.lock();
        try {
            isClosed = true;
            filled.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
