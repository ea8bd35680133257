package io.offhook.calls.figures;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.figures.ConversationUpdate;
import io.offhook.rtp.figures.SampleFigures;
import io.offhook.rtp.figures.StreamUpdate;
import org.jspecify.annotations.Nullable;

/** Receives what changed of the streams and RTCP conversations of a {@code CallAssembly}, in no particular order. */
public interface FiguresSink {
    /**
     * A stream had packets since the last time.
     *
     * @param stream which one it is; as soon as its call is known, its owner is another than before
     * @param update to fold into what was passed of it before, if anything was
     * @param sample packets by which it may be found at another point of its way, in the place of those passed before; null
     *     if these are still all, or there are none
     */
    void stream(CapturedStream stream, StreamUpdate update, @Nullable SampleFigures sample);

    /**
     * RTCP passed between two endpoints since the last time.
     *
     * @param one in the order of addresses, then ports
     * @param other the other one
     * @param update to fold into what was passed of it before, if anything was
     */
    void conversation(Endpoint one, Endpoint other, ConversationUpdate update);
}
