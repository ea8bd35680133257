package io.offhook.live;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureInterface;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What differs from one way to capture to another: the ring, or the queue, that packets come by. {@link RingSource} makes a
 * source of it, with all that sources have in common: its life, loans, counters, faults and losses.
 *
 * <p>A driver is called by the thread that calls its source's {@code next}, but for {@link #wakeUp}, which any thread calls;
 * {@link #close} comes when that thread calls no more. What it does for a packet allocates nothing.
 */
public interface RingDriver extends AutoCloseable {
    /** What {@link #whyGone} answers of an interface that was removed. */
    String DISAPPEARED = "the interface has disappeared";

    /** The interface as files describe it; the same each time. */
    CaptureInterface captureInterface();

    /** The interface as the kernel lists it, or as the driver knows it; null where it is none. */
    default @Nullable NetworkDevice device() {
        return null;
    }

    /** What a person should know of what was opened, a sentence each, without the interface's name. */
    default List<String> notes() {
        return List.of();
    }

    /**
     * Adds what is there, without waiting, as far as the batch has room. What the frames lie in is {@linkplain
     * BatchLoans.Loan#add lent} to the batch, or they are copied into its {@linkplain BatchLoans.Loan#copies own memory}.
     *
     * @param batch which is empty
     * @param loan of the batch, of nothing yet
     */
    void fill(FrameBatch batch, BatchLoans.Loan loan);

    /**
     * Takes back what was lent to a batch, all at once: a ring block, a chunk, an mbuf.
     *
     * @param places as {@link BatchLoans.Loan#add} got them, in that order
     * @param count how many of them, 1 or more
     */
    void giveBack(long[] places, int count);

    /** Whether {@link #fill} has something to do now: asked again and again by strategies that spin. */
    boolean hasFrames();

    /** Whether {@link #await} can wait; of others, {@link #hasFrames} is asked ever more rarely. */
    default boolean canWait() {
        return true;
    }

    /**
     * Waits until there are frames, the time is over or {@link #wakeUp} was called.
     *
     * @param atMostMs milliseconds; 0 only looks at how the interface is
     */
    void await(int atMostMs);

    /** Ends a wait; any thread calls it, also when the driver was closed. */
    void wakeUp();

    /** The source was stopped: nothing that comes from now on is to reach the ring. Called once. */
    void detach();

    /**
     * Whether all was handed over that came before {@link #detach}.
     *
     * @param detachedForNs nanoseconds since then
     * @param quietForNs nanoseconds since frames came last, or since {@link #detach}; 0 where they have just come
     */
    boolean isDrained(long detachedForNs, long quietForNs);

    /** The source has ended: the last call by the thread that captures, but for {@link #giveBack}. */
    default void end() {}

    /**
     * Sets all counters but {@code delivered} and {@code filtered}, which are up to date: asks the kernel or the device.
     *
     * @see LiveCounts
     */
    void count(LiveCounts.Builder counts);

    /** How often the counters are asked for while there is work, in nanoseconds: as often as that costs nothing. */
    long countIntervalNs();

    /** Frames so far that reached the ring, and that the filter then did not want. */
    default long filtered() {
        return 0;
    }

    /** The time of day by the clock that frames are stamped with, in nanoseconds since the epoch. */
    long nowNs();

    /** Why nothing will come any more; null while the interface is there. Asked when nothing has come. */
    @Nullable
    String whyGone();

    @Override
    void close();
}
