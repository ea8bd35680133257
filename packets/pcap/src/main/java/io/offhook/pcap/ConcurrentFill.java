package io.offhook.pcap;

import io.offhook.packet.FrameBatch;

/**
 * Lets several threads fill batches from one source at once, in rounds: the batches of a round are numbered from 0, and
 * each covers its own stretch of the source. Which frames a batch holds does not depend on the threads, and frame
 * numbers continue from batch to batch.
 */
public interface ConcurrentFill {

    /**
     * Begins a round. While this runs, no other method of the source may run; from then until {@link #end}, only {@link
     * #fill}.
     *
     * @param batches the number of batches in the round; all of them are to be filled
     * @param capacity the capacity of each batch, in frames
     * @return false if the next frames must be read with {@link PacketSource#next}; the round has then not begun
     */
    boolean begin(int batches, int capacity);

    /**
     * Clears a batch and fills it. Several threads may call this at once, each with its own index and batch; {@code i}
     * may be started once all lower indexes of the round have been started.
     *
     * @return false if the frames had ended before this batch
     */
    boolean fill(int i, FrameBatch batch);

    /** Ends the round, once all batches are filled. */
    void end();
}
