package io.offhook.analysis;

import io.offhook.calls.event.ContainedSink;

/**
 * Receives frames on the lane that decodes them. There is one instance for each lane, used by one thread at a time.
 * Should allocate nothing in the steady state.
 *
 * <p>The frames of a batch arrive in the order of capture; which instance receives which batch, and when, depends on
 * the lanes. To be independent of that, an instance keeps results by the number of the frame or batch, and a {@link
 * RoundSink} puts them in order. In a {@link FrameLoop} there is one lane, and all frames arrive in the order of
 * capture.
 */
@FunctionalInterface
public interface FrameSink extends ContainedSink {
    /** A frame was decoded. The frame, and everything it returns, is borrowed until this returns. */
    void frame(DecodedFrame frame);

    /** All frames of the {@code i}th batch of the round have been passed; in a {@link FrameLoop} {@code i} is 0. */
    default void endOfBatch(int i) {}
}
