package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Waits until one of some descriptors has something, poll(2), or another thread says to go on. One thread waits; any may
 * wake it up. The descriptors are their owners' and stay open.
 */
public final class Poller implements AutoCloseable {
    private final int count;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment entries;
    private final MemorySegment word;
    private final int wakeUp;
    private boolean closed;

    /**
     * Waits for nothing yet.
     *
     * @param descriptors what to wait for, to be read from
     */
    public Poller(int... descriptors) {
        this(descriptors, PollHeader.POLLIN);
    }

    /** One that waits until a descriptor can be written to. */
    public static Poller forWriting(int descriptor) {
        return new Poller(new int[] {descriptor}, PollHeader.POLLOUT);
    }

    private Poller(int[] descriptors, int events) {
        count = descriptors.length;
        entries = arena.allocate((count + 1L) * PollHeader.SIZE, Integer.BYTES);
        word = arena.allocate(JAVA_LONG);
        wakeUp = LinuxException.check(Unistd.eventfd(0, Unistd.EVENTFD_FLAGS), "eventfd");
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
     * Waits.
     *
     * @param timeoutMs milliseconds; 0 only looks, -1 is for ever
     * @return whether a descriptor has something, takes something, or has failed; false when the time was over, a signal came, or
     *     {@link #wakeUp} was called
     */
    public boolean await(int timeoutMs) {
        int ready = PollHeader.poll(entries, count + 1L, timeoutMs);
        if (ready < 0) {
            if (ready == -LinuxException.EINTR) {
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

    /** Whether descriptor {@code i} had something to read when {@link #await} returned. */
    public boolean isReadable(int i) {
        return (events(i) & PollHeader.POLLIN) != 0;
    }

    /** Whether descriptor {@code i} had failed when {@link #await} returned: its interface is down or gone, say. */
    public boolean hasFailed(int i) {
        return (events(i) & PollHeader.POLLERR) != 0;
    }

    private int events(int i) {
        return entries.get(JAVA_SHORT, (long) i * PollHeader.SIZE + PollHeader.REVENTS);
    }

    /** Ends the wait at hand, or the next one. Any thread may call it, also after {@link #close}: then it does nothing. */
    public synchronized void wakeUp() {
        if (closed) {
            return;
        }
        try (Arena own = Arena.ofConfined()) {
            Unistd.write(wakeUp, own.allocateFrom(JAVA_LONG, 1), Long.BYTES);
        }
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
