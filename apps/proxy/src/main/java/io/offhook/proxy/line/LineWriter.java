package io.offhook.proxy.line;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Writes items as lines on a thread of its own. {@link #offer} takes an item from any thread and never waits: what has no
 * room is counted, and so is what the output refuses. A line appears at most about 20 ms after its item was offered.
 *
 * @param <T> the items, immutable
 */
public final class LineWriter<T> implements AutoCloseable {
    /** The least and the most items that may wait. */
    public static final int LEAST_CAPACITY = 2;

    /** The most items that may wait. */
    public static final int MOST_CAPACITY = 1 << 20;

    private static final long PAUSE_NS = 20_000_000L;
    private static final int BATCH_CHARACTERS = 64 * 1024;
    private static final long CLOSE_MS = 2000;

    private final ItemRing<T> ring;
    private final LineFormat<? super T> format;
    private final LineOutput output;
    private final Runnable eachRound;
    private final Thread thread;
    private final LongAdder dropped = new LongAdder();
    private final StringBuilder batch = new StringBuilder(1024);
    private final LongAdder written = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile boolean isClosing;
    private volatile boolean isClosed;
    private volatile boolean isReopenAsked;
    private volatile @Nullable String lastFailure;

    /**
     * Turns an item into text.
     *
     * @param <T> the item
     */
    @FunctionalInterface
    public interface LineFormat<T> {
        /** Appends the item: one line or more, each with its end. */
        void append(T item, StringBuilder to);
    }

    /**
     * Creates a writer; {@link #start} starts it. What is offered before waits.
     *
     * @param name of the thread
     * @param capacity the items that may wait, rounded up to a power of two; {@link #LEAST_CAPACITY} to {@link #MOST_CAPACITY}
     * @param format turns items into lines, on the thread of the writer
     * @param output where the lines go; closed at the end
     * @param eachRound is run by the thread of the writer, about every 20 ms
     */
    public LineWriter(String name, int capacity, LineFormat<? super T> format, LineOutput output, Runnable eachRound) {
        if (capacity < LEAST_CAPACITY || capacity > MOST_CAPACITY) {
            throw new IllegalArgumentException(
                    "capacity " + capacity + " is not within " + LEAST_CAPACITY + " and " + MOST_CAPACITY);
        }
        ring = new ItemRing<>(Integer.highestOneBit(capacity * 2 - 1));
        this.format = format;
        this.output = output;
        this.eachRound = eachRound;
        thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    /** Starts to write. */
    public void start() {
        thread.start();
    }

    /** Takes an item, without waiting. @return false if there was no room, or the writer is closed, which is counted */
    public boolean offer(T item) {
        if (isClosed || !ring.offer(item)) {
            dropped.increment();
            return false;
        }
        return true;
    }

    /** Asks the writer to open its file again; it does within about 20 ms. */
    public void reopen() {
        isReopenAsked = true;
    }

    /** The items that had no room. */
    public long dropped() {
        return dropped.sum();
    }

    /** The items that were written. */
    public long written() {
        return written.sum();
    }

    /** The items that the output refused: a full disk, a closed pipe. */
    public long refused() {
        return refused.sum();
    }

    /** Why the output failed last; null if it never did. */
    public @Nullable String lastFailure() {
        return lastFailure;
    }

    /** The items that may wait. */
    public int capacity() {
        return ring.capacity();
    }

    private void run() {
        try (output) {
            while (true) {
                boolean isLast = isClosing;
                eachRound.run();
                while (writeBatch()) {
                    // until nothing waits
                }
                if (isReopenAsked) {
                    isReopenAsked = false;
                    reopenOutput();
                }
                if (isLast) {
                    return;
                }
                LockSupport.parkNanos(this, PAUSE_NS);
            }
        } catch (IOException e) {
            failed(e); // closing
        } finally {
            isClosed = true;
            while (ring.poll() != null) {
                dropped.increment(); // came in after the last round
            }
        }
    }

    private boolean writeBatch() {
        int items = 0;
        batch.setLength(0);
        while (batch.length() < BATCH_CHARACTERS) {
            T item = ring.poll();
            if (item == null) {
                break;
            }
            append(item);
            items++;
        }
        if (items == 0) {
            return false;
        }
        byte[] octets = batch.toString().getBytes(StandardCharsets.UTF_8);
        try {
            output.write(octets, 0, octets.length);
            output.flush();
            written.add(items);
        } catch (IOException e) {
            refused.add(items);
            failed(e);
        }
        return true;
    }

    /** An item that cannot be written must not end the thread, and not the lines of others. */
    private void append(T item) {
        int before = batch.length();
        try {
            format.append(item, batch);
        } catch (RuntimeException e) {
            batch.setLength(before);
            refused.increment();
            lastFailure = e.toString();
        }
    }

    private void reopenOutput() {
        try {
            output.reopen();
        } catch (IOException e) {
            failed(e);
        }
    }

    private void failed(IOException e) {
        lastFailure = e.toString();
    }

    /** Writes what waits, for at most 2 s, and closes the output. */
    @Override
    public void close() {
        isClosing = true;
        if (thread.getState() == Thread.State.NEW) {
            run();
            return;
        }
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
