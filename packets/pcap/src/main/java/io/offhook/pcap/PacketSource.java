package io.offhook.pcap;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.PlacedCount;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where frames come from, in batches.
 *
 * <p>One thread at a time calls {@link #next}; the batches themselves may be read by other threads, several at once, as
 * long as each is given back before the source is closed. Closing ends the life of every frame it handed out.
 */
public interface PacketSource extends AutoCloseable {

    /**
     * Clears the batch and fills it with the frames that come next. Their times are within 0 and 2^62 nanoseconds (years
     * 1970 to 2116), so that sums and differences do not overflow.
     *
     * @return false when there are none left; damage ends the source early and is told by {@link #faults()}
     */
    boolean next(FrameBatch batch);

    /** How several threads fill batches at once; null where they must take turns at {@link #next}. Always the same one. */
    default @Nullable ConcurrentFill concurrently() {
        return null;
    }

    /**
     * Lets go of what a batch has borrowed, before it is filled again or left for good: its frames may not be read any
     * more. A source on the wire has few places for packets, and those of a batch that rests in a corner are missing; to
     * others it is all the same. Call it while no thread is in {@link #next}.
     */
    default void release(FrameBatch batch) {}

    /** The interfaces met so far; a frame's {@code interfaceIndex} is an index into it. It only grows. */
    List<CaptureInterface> interfaces();

    /** What was damaged, unreadable or cut off so far. Frames before the damage were handed out. */
    List<CaptureFault> faults();

    /**
     * The packets that the source says were lost while they were captured, as far as it was read; in no order. Call it on
     * the thread that calls {@link #next}.
     */
    default List<CaptureLoss> losses() {
        return List.of();
    }

    /**
     * The frames that were left out since a {@linkplain FilteredSource filter} did not want them, so far. Call it on the
     * thread that calls {@link #next}.
     */
    default PlacedCount filtered() {
        return new PlacedCount();
    }

    /** What {@link #endNs()} is where the source does not tell. */
    long END_NOT_TOLD = Long.MIN_VALUE;

    /**
     * When capturing ended, as the source says, nanoseconds since the epoch: it may have gone on long after the last frame.
     * {@link #END_NOT_TOLD} where it does not say, and before it was read to its end. Call it on the thread that calls
     * {@link #next}.
     */
    default long endNs() {
        return END_NOT_TOLD;
    }

    /**
     * Asked when reading a frame was an {@link InternalError} of the Java machine: whether the memory that frames lie in
     * has gone, as that of a mapped file does which another process cuts shorter. Then {@link #faults()} tells of it, and
     * no frame may be read any more. The caller's threads are to be quiet.
     */
    default boolean hasLostMemory() {
        return false;
    }

    @Override
    void close();
}
