package io.offhook.live;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureInterface;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a live source that differs between backends: the ring or queue that packets arrive in. {@link RingSource}
 * makes a source of it and adds what all sources have in common: life cycle, loans, counters, faults and losses.
 *
 * <p>Only the thread that calls {@code next} of the source calls the driver, except {@link #wakeUp}, which any thread
 * may call; {@link #close} is the last call. The work per packet allocates nothing.
 */
public interface RingDriver extends AutoCloseable {
    /** The result of {@link #whyGone} for an interface that was removed. */
    String DISAPPEARED = "the interface has disappeared";

    /** Returns the interface as capture files describe it; always the same. */
    CaptureInterface captureInterface();

    /**
     * Returns the interface as the kernel lists it, or as the driver knows it; null if it is not a network interface.
     */
    default @Nullable NetworkDevice device() {
        return null;
    }

    /** Returns what a user should know about what was opened, one sentence each, without the name of the interface. */
    default List<String> notes() {
        return List.of();
    }

    /** Called once, before anything else is called: packets that arrive from now on must reach the ring. */
    default void attach() {}

    /**
     * Adds the frames that are present, without waiting, as far as the batch has room. Their memory is {@linkplain
     * BatchLoans.Loan#add lent} to the batch, or they are copied to its {@linkplain BatchLoans.Loan#copies own memory}.
     *
     * @param batch the batch, empty
     * @param loan the loan of the batch, empty
     */
    void fill(FrameBatch batch, BatchLoans.Loan loan);

    /**
     * Takes back what was lent to a batch, all at once: a ring block, a chunk, an mbuf.
     *
     * @param places the places passed to {@link BatchLoans.Loan#add}, in that order
     * @param count their number, at least 1
     */
    void giveBack(long[] places, int count);

    /** Returns whether {@link #fill} would add frames now; strategies that spin call it continuously. */
    boolean hasFrames();

    /**
     * Returns how much of the ring is in use: packets have arrived there and were not given back. Called after each
     * fill of a lane whose figures are published; costs no call to the system.
     *
     * @return in units of {@link #unit}; -1 if that is not known
     */
    default int inUse() {
        return -1;
    }

    /** Returns what {@link #inUse} counts, in words: {@code ring blocks}; null if it counts nothing. */
    default @Nullable String unit() {
        return null;
    }

    /** Returns the room of the ring in the units of {@link #unit}; 0 if it is not known. */
    default int room() {
        return 0;
    }

    /** Returns whether {@link #await} can wait; if not, {@link #hasFrames} is polled ever more rarely. */
    default boolean canWait() {
        return true;
    }

    /**
     * Waits until frames are present, the time is over, or {@link #wakeUp} was called.
     *
     * @param atMostMs the longest wait in milliseconds; 0 only checks the state of the interface
     */
    void await(int atMostMs);

    /** Ends a wait. Any thread may call it, even after the driver was closed. */
    void wakeUp();

    /** Called once when the source is stopped: packets that arrive from now on must not reach the ring. */
    void detach();

    /**
     * Returns whether everything that arrived before {@link #detach} was delivered.
     *
     * @param detachedForNs nanoseconds since {@link #detach}
     * @param quietForNs nanoseconds since the last frames, or since {@link #detach}; 0 if frames have just arrived
     */
    boolean isDrained(long detachedForNs, long quietForNs);

    /** Called when the source has ended: the last call of the capturing thread, except {@link #giveBack}. */
    default void end() {}

    /**
     * Queries the kernel or the device and sets all counters except {@code delivered} and {@code filtered}, which are
     * current.
     *
     * @see LiveCounts
     */
    void count(LiveCounts.Builder counts);

    /**
     * Returns the interval of querying the counters while there is work, in nanoseconds: short, but long enough to be
     * cheap.
     */
    long countIntervalNs();

    /** Returns the frames so far that reached the ring and were then rejected by the filter. */
    default long filtered() {
        return 0;
    }

    /** Returns the time by the clock of the frames' timestamps, in nanoseconds since the epoch. */
    long nowNs();

    /** Returns why no more frames will arrive; null while the interface exists. Called when no frames have arrived. */
    @Nullable
    String whyGone();

    @Override
    void close();
}
