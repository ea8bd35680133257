package io.offhook.analysis;

import io.offhook.calls.event.ContainedSink;

/**
 * Looks at frames on the lane that decodes them; one instance for each lane, used by one thread at a time. Allocates
 * nothing in the steady state.
 *
 * <p>It is given the frames of a batch in the order of capture; in which order batches are given to which instance depends
 * on the lanes. So that the result does not, what it keeps goes by the number of the frame or the batch, and a {@link
 * RoundSink} puts it in order. In a {@link FrameLoop} there is one lane, and all frames come in the order of capture.
 */
@FunctionalInterface
public interface FrameSink extends ContainedSink {
    /** A frame was decoded; it and all that it returns is borrowed until this returns. */
    void frame(DecodedFrame frame);

    /** All frames of the {@code i}th batch of the round were given; in a {@link FrameLoop} {@code i} is 0. */
    default void endOfBatch(int i) {}
}
