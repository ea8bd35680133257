package io.offhook.web.data;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The connections by which requests read a database: a few, which are kept. A request waits for one for a short time only,
 * so that many requests at once neither pile up nor take the processors from the analysis.
 *
 * <p>Thread-safe.
 */
public final class ReadConnections implements AutoCloseable {
    private static final int MOST = 2;
    private static final int MOST_WAIT_MS = 2000;
    /** How much older than the calls an answer made by several readings may be. */
    private static final long STALE_NS = 2_000_000_000L;

    private final CallData data;
    private final Semaphore free = new Semaphore(MOST, true);
    private final Deque<CallReader> kept = new ArrayDeque<>();
    private final Answers answers = new Answers(System::nanoTime);
    private boolean isClosed;

    /** Reads a database.
     *
     * @param <T> what is read
     */
    @FunctionalInterface
    public interface Work<T> {
        /** Reads; the reader is not kept. */
        T read(CallReader reader) throws SQLException;
    }

    /** Reads a database by several readings. */
    @FunctionalInterface
    public interface Steps {
        /** Reads what makes an answer. */
        byte[] read(ReadConnections connections) throws SQLException;
    }

    /** Opens connections as they are needed. */
    public ReadConnections(CallData data) {
        this.data = data;
    }

    /** The data behind the connections. */
    public CallData data() {
        return data;
    }

    /**
     * Reads by a connection that nobody else uses meanwhile.
     *
     * @param <T> what is read
     * @throws BusyException if none was free for two seconds
     */
    public <T> T read(Work<T> work) throws SQLException {
        take();
        CallReader used = null;
        boolean isSound = false;
        try {
            used = keptOrNew();
            T result = work.read(used);
            isSound = true;
            return result;
        } finally {
            if (used != null) {
                giveBack(used, isSound);
            }
            free.release();
        }
    }

    /**
     * Reads an answer, as {@link #read} does, or takes the one of the last second if the calls are the same.
     *
     * @param question names it: equal questions have equal answers
     * @return not to be changed
     * @throws BusyException if no connection was free for two seconds
     */
    public byte[] answer(String question, Work<byte[]> work) throws SQLException {
        return answers.of(question, data.revision(), () -> read(work));
    }

    /**
     * As {@link #answer}, of several readings: a connection is taken for each, so that others need not wait for all. As it is made of
     * much, it may be two seconds older than the calls.
     *
     * @throws BusyException if no connection was free for two seconds
     */
    public byte[] answerInSteps(String question, Steps steps) throws SQLException {
        return answers.of(question, data.revision(), STALE_NS, () -> steps.read(this));
    }

    private void take() {
        try {
            if (!free.tryAcquire(MOST_WAIT_MS, TimeUnit.MILLISECONDS)) {
                throw new BusyException();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BusyException();
        }
    }

    private CallReader keptOrNew() throws SQLException {
        synchronized (kept) {
            if (isClosed) {
                throw new SQLException("the database is closed");
            }
            CallReader next = kept.poll();
            if (next != null) {
                return next;
            }
        }
        return new CallReader(data);
    }

    private void giveBack(CallReader used, boolean isSound) throws SQLException {
        synchronized (kept) {
            if (isSound && !isClosed) {
                kept.push(used);
                return;
            }
        }
        used.close();
    }

    @Override
    public void close() {
        synchronized (kept) {
            isClosed = true;
            for (CallReader unused : kept) {
                try {
                    unused.close();
                } catch (SQLException _) {
                    // the database is about to be closed as a whole
                }
            }
            kept.clear();
        }
    }

    /** Too many requests read the database at once. */
    public static final class BusyException extends RuntimeException {
        private static final long serialVersionUID = 1;

        BusyException() {
            super("too many requests at once; try again");
        }
    }
}
