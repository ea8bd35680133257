package io.offhook.pcap;

import io.offhook.packet.FrameBatch;

/**
 * How several threads fill batches from one source at once: a round of batches, counted from 0, each with the frames of a
 * stretch of its own. Which frames are in which batch does not depend on the threads, and numbers go on from batch to
 * batch.
 */
public interface ConcurrentFill {

    /**
     * Begins a round. No other method of the source runs meanwhile, and between here and {@link #end} none but {@link
     * #fill}.
     *
     * @param batches that are filled, all of them
     * @param capacity of each batch
     * @return false where the frames that come next must be read by {@link PacketSource#next}: then the round has not begun
     */
    boolean begin(int batches, int capacity);

    /**
     * Clears a batch and fills it. Several threads may be in here, each with a number and a batch of its own; {@code i} is
     * begun when all lower numbers of the round have been begun.
     *
     * @return false where the frames had ended before
     */
    boolean fill(int i, FrameBatch batch);

    /** Ends the round, once all batches are filled. */
    void end();
}
