package io.offhook.pcap;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.PlacedCount;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Delivers frames in batches.
 *
 * <p>One thread at a time calls {@link #next}. Other threads may read the batches, several at once, as long as they are
 * done before the source is closed. Closing ends the life of every frame delivered.
 */
public interface PacketSource extends AutoCloseable {

    /**
     * Clears the batch and fills it with the next frames. Their times are within 0 and 2^62 nanoseconds (years
     * 1970 to 2116), so that sums and differences do not overflow.
     *
     * @return false when there are none left, true with an empty batch only if the source {@linkplain #isLive is live}; damage ends the source early and is reported by {@link #faults()}
     */
    boolean next(FrameBatch batch);

    /**
     * Returns whether this is a live source: {@link #next} then returns true with an empty batch when there is nothing
     * now, so that the consumer can check the time.
     */
    default boolean isLive() {
        return false;
    }

    /** How several threads fill batches at once; null where they must take turns at {@link #next}. Always the same one. */
    default @Nullable ConcurrentFill concurrently() {
        return null;
    }

    /**
     * Returns what a batch has borrowed, before it is filled again or discarded; its frames must not be read any more.
     * Frames that an idle batch still borrows occupy slots of a live source's ring; other sources ignore the call. Call
     * it while no thread is in {@link #next}.
     */
    default void release(FrameBatch batch) {}

    /**
     * Returns the interfaces seen so far; a frame's {@code interfaceIndex} is an index into the list, which only grows.
     */
    List<CaptureInterface> interfaces();

    /** Returns what was damaged, unreadable or cut off so far. The frames before the damage were delivered. */
    List<CaptureFault> faults();

    /**
     * Returns the losses during the capture that the source has reported so far, in no particular order. Call it on the
     * thread that calls {@link #next}.
     */
    default List<CaptureLoss> losses() {
        return List.of();
    }

    /**
     * Returns the frames that a {@linkplain FilteredSource filter} has dropped so far. Call it on the thread that calls
     * {@link #next}.
     */
    default PlacedCount filtered() {
        return new PlacedCount();
    }

    /** The value of {@link #endNs()} if the source does not declare it. */
    long END_NOT_TOLD = Long.MIN_VALUE;

    /**
     * Returns when the capture ended, in nanoseconds since the epoch, as declared by the source; it may have continued
     * long after the last frame. {@link #END_NOT_TOLD} if the source does not declare it, or was not read to its end.
     * Call it on the thread that calls {@link #next}.
     */
    default long endNs() {
        return END_NOT_TOLD;
    }

    /**
     * Returns whether the memory of the frames is gone, as that of a mapped file is when another process truncates it;
     * to be called when reading a frame threw an {@link InternalError}. If so, {@link #faults()} reports it, and no
     * frame may be read any more. No other thread may be using the source.
     */
    default boolean hasLostMemory() {
        return false;
    }

    @Override
    void close();
}
