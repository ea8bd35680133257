package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.offhook.linux.LinuxException;
import io.offhook.linux.libc.PollHeader;
import io.offhook.linux.libc.Unistd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Waits until one of several descriptors is ready, poll(2), or another thread wakes it up. One thread waits; any thread
 * may call {@link #wakeUp}. The caller owns the descriptors, which stay open.
 */
public final class Poller implements AutoCloseable {
    private final int count;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment entries;
    private final MemorySegment word;
    private final MemorySegment one;
    private final MemorySegment time;
    private final int wakeUp;
    private boolean closed;

    /**
     * Creates a poller for reading.
     *
     * @param descriptors the descriptors to wait for
     */
    public Poller(int... descriptors) {
        this(descriptors, PollHeader.POLLIN);
    }

    /** Creates a poller that waits until a descriptor is writable. */
    public static Poller forWriting(int descriptor) {
        return new Poller(new int[] {descriptor}, PollHeader.POLLOUT);
    }

    private Poller(int[] descriptors, int events) {
        count = descriptors.length;
        try {
            entries = arena.allocate((count + 1L) * PollHeader.SIZE, Integer.BYTES);
            word = arena.allocate(JAVA_LONG);
            one = arena.allocateFrom(JAVA_LONG, 1);
            time = arena.allocate(PollHeader.TIME_BYTES, Long.BYTES);
            // last, because nothing after it can fail
            wakeUp = LinuxException.check(Unistd.eventfd(0, Unistd.EVENTFD_FLAGS), "eventfd");
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
        for (int i = 0; i < count; i++) {
            entry(i, descriptors[i], events);
        }
        entry(count, wakeUp, PollHeader.POLLIN);
    }

    private void entry(int i, int descriptor, int events) {
        long at = (long) i * PollHeader.SIZE;
        entries.set(JAVA_INT, at, descriptor);
        entries.set(JAVA_SHORT, at + PollHeader.EVENTS, (short) events);
    }

    /**
     * Waits until a descriptor is ready.
     *
     * @param timeoutMs the timeout in milliseconds; 0 returns at once, -1 waits forever
     * @return whether a descriptor is readable (or writable) or has failed; false after the timeout, a signal, or
     *     {@link #wakeUp}
     */
    public boolean await(int timeoutMs) {
        return isReady(PollHeader.poll(entries, count + 1L, timeoutMs));
    }

    /**
     * As {@link #await(int)}, with a timeout in nanoseconds.
     *
     * @param timeoutNs 0 or negative returns at once
     */
    public boolean awaitNs(long timeoutNs) {
        long left = Math.max(0, timeoutNs);
        time.set(JAVA_LONG, 0, left / 1_000_000_000);
        time.set(JAVA_LONG, PollHeader.TIME_NANOSECONDS, left % 1_000_000_000);
        return isReady(PollHeader.ppoll(entries, count + 1L, time));
    }

    private boolean isReady(int polled) {
        int ready = polled;
        if (ready < 0) {
            if (ready == -LinuxException.EINTR) {
                clear();
                return false;
            }
            throw new LinuxException("poll", -ready);
        }
        if (ready > 0 && events(count) != 0) {
            Unistd.read(wakeUp, word, Long.BYTES);
            ready--;
        }
        return ready > 0;
    }

    /** The kernel leaves the old events after a signal. */
    private void clear() {
        for (int i = 0; i <= count; i++) {
            entries.set(JAVA_SHORT, (long) i * PollHeader.SIZE + PollHeader.REVENTS, (short) 0);
        }
    }

    /** Whether descriptor {@code i} was readable when {@link #await} returned. */
    public boolean isReadable(int i) {
        return (events(i) & PollHeader.POLLIN) != 0;
    }

    /**
     * Whether descriptor {@code i} had failed when {@link #await} returned, for example because its interface is down
     * or gone.
     */
    public boolean hasFailed(int i) {
        return (events(i) & PollHeader.POLLERR) != 0;
    }

    private int events(int i) {
        return entries.get(JAVA_SHORT, (long) i * PollHeader.SIZE + PollHeader.REVENTS);
    }

    /** Ends the current wait, or the next one. Thread-safe. Has no effect after {@link #close}. */
    public synchronized void wakeUp() {
        if (closed) {
            return;
        }
        Unistd.write(wakeUp, one, Long.BYTES);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Unistd.close(wakeUp);
            arena.close();
        }
    }
}
