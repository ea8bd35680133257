package io.offhook.analysis;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.FrameBatch;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The frames that were worked on together, and the SIP messages found in them. At the end of the source there is one more
 * round, without frames, for what streams held back until then.
 */
public interface Round {
    /** Batches of frames, 0 to 16. */
    int batches();

    /** The frames of a batch, in the order of capture; those of the next one follow. */
    FrameBatch batch(int i);

    /** The latest time of a packet so far, nanoseconds since the epoch. */
    long latestNs();

    /** The messages that the round completed, of datagrams, fragments and streams, in the order of capture. */
    List<SipPacket> messages();

    /**
     * Reports the numbers of the frames that a message of this round came in: one for a datagram, all
     * fragments of a datagram in fragments, and of a stream all segments that its bytes were taken from, those of earlier
     * rounds included.
     *
     * @throws IllegalStateException unless the pipeline is {@linkplain Pipeline#traced() traced}
     */
    void framesOf(SipPacket message, LongConsumer to);

    /**
     * Reports the numbers of the frames that a datagram of this round came in: the number given, and where that frame
     * completed a datagram in fragments, those of the other fragments too.
     *
     * @throws IllegalStateException unless the pipeline is {@linkplain Pipeline#traced() traced}
     */
    void framesOf(long completingFrame, LongConsumer to);

    /**
     * Reports the frames of this round that have only a fragment captured before, of a datagram that was complete by then.
     * {@link #framesOf(long, LongConsumer)} does not report them, as the datagram may be of an earlier round.
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
