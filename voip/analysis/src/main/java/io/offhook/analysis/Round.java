package io.offhook.analysis;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.FrameBatch;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The frames that were processed together, and the SIP messages found in them. At the end of the source there is one
 * more round without frames, for messages that streams held back until then.
 */
public interface Round {
    /** The number of batches, 0 to 16. */
    int batches();

    /** The frames of a batch, in the order of capture; the frames of the next batch follow. */
    FrameBatch batch(int i);

    /** The latest time of any packet so far, nanoseconds since the epoch. */
    long latestNs();

    /** The messages that this round completed, from datagrams, fragments and streams, in the order of capture. */
    List<SipPacket> messages();

    /**
     * Reports the numbers of the frames that a message of this round came in: one for a datagram, all fragments of a
     * fragmented datagram, and for a stream all segments that its bytes were taken from, including those of earlier
     * rounds.
     *
     * @throws IllegalStateException unless the pipeline is {@linkplain Pipeline#traced() traced}
     */
    void framesOf(SipPacket message, LongConsumer to);

    /**
     * Reports the numbers of the frames that a datagram of this round came in: the given number and, if that frame
     * completed a fragmented datagram, those of the other fragments.
     *
     * @throws IllegalStateException unless the pipeline is {@linkplain Pipeline#traced() traced}
     */
    void framesOf(long completingFrame, LongConsumer to);

    /**
     * Reports the frames of this round that carry only a fragment captured before, of a datagram that was already
     * complete. {@link #framesOf(long, LongConsumer)} does not report them, as the datagram may belong to an earlier
     * round.
     *
     * @throws IllegalStateException unless the pipeline is {@linkplain Pipeline#traced() traced}
     */
    void lateDuplicates(DuplicateHandler to);

    /** Receives the frames of duplicates. */
    @FunctionalInterface
    interface DuplicateHandler {
        /**
         * A fragment came again.
         *
         * @param completingFrame the frame that completed its datagram
         * @param frame the frame that it came in now
         */
        void duplicate(long completingFrame, long frame);
    }

    /**
     * The connection that a message of this round came in; null for a datagram.
     *
     * @throws IllegalStateException unless the pipeline is {@linkplain Pipeline#traced() traced}
     */
    @Nullable
    TracedConnection connectionOf(SipPacket message);
}
