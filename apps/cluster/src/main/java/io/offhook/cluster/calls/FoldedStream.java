package io.offhook.cluster.calls;

import io.offhook.calls.figures.CapturedStream;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.rtp.figures.SampleFigures;
import io.offhook.rtp.figures.StreamFigures;
import org.jspecify.annotations.Nullable;

/** What the events of a stream amount to. */
final class FoldedStream {
    private @Nullable StreamBegin begin;
    private @Nullable StreamFigures figures;
    private @Nullable SampleFigures sample;
    private String ownerCallId = "";

    void begin(StreamBegin event) {
        begin = event;
    }

    void interval(StreamInterval event) {
        StreamFigures known = figures;
        figures = known == null ? event.update().alone() : known.with(event.update());
        sample = event.sample() == null ? sample : event.sample();
        ownerCallId = event.ownerCallId().isEmpty() ? ownerCallId : event.ownerCallId();
    }

    /** Whether it is known which stream it is, and there are figures. */
    boolean isWhole() {
        return begin != null && figures != null;
    }

    /**
     * The frame of its first packet.
     *
     * @throws IllegalStateException if it is not whole, as all below
     */
    long firstFrame() {
        return whole(begin).firstFrame();
    }

    /** @param firstFrame the number that its first frame has among those of all probes */
    CapturedStream captured(long firstFrame) {
        StreamBegin known = whole(begin);
        return new CapturedStream(
                known.source(),
                known.destination(),
                known.ssrc(),
                firstFrame,
                ownerCallId.isEmpty() ? null : ownerCallId);
    }

    StreamFigures figures() {
        return whole(figures);
    }

    @Nullable
    SampleFigures sample() {
        return sample;
    }

    private static <T> T whole(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the stream is not whole");
        }
        return part;
    }
}
