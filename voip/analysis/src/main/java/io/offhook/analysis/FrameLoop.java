package io.offhook.analysis;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PacketSource;
import org.jspecify.annotations.Nullable;

/**
 * Gives the frames of a source to one sink, on the caller's thread, batch by batch, in the order of capture: for what is
 * written in that order, and must come out when a frame came in. Fragments and streams are not put together.
 *
 * <p>An exception of the sink costs the frame that it was thrown at, unless it {@linkplain FrameSink#endsRun ends the run}.
 * May be run once.
 */
public final class FrameLoop {
    private final PacketSource source;
    private final PacketWalker walker;
    private final FrameBatch batch;
    private final Failures failures = new Failures();
    private boolean isStopped;

    /**
     * A loop that has not begun.
     *
     * @param batchFrames how many frames a batch holds at most, 1 or more
     */
    public FrameLoop(PacketSource source, int batchFrames) {
        this(source, batchFrames, new PacketWalker());
    }

    /** As {@link #FrameLoop(PacketSource, int)}, with a walker that may know protocols of its own. */
    public FrameLoop(PacketSource source, int batchFrames, PacketWalker walker) {
        this.source = source;
        this.walker = walker;
        batch = new FrameBatch(batchFrames);
    }

    /**
     * Reads the source to its end, or until {@link #stop}. After each batch, an empty one included, {@link
     * FrameSink#endOfBatch} is called with 0.
     */
    public void run(FrameSink sink) {
        DecodedFrame frame = new DecodedFrame(walker, new Recognizer(), batch);
        while (!isStopped && source.next(batch)) {
            for (int i = 0; i < batch.count() && !isStopped; i++) {
                frame.at(batch, i);
                try {
                    sink.frame(frame);
                } catch (RuntimeException e) {
                    contain(sink, e, batch.number(i), batch.timestampNs(i));
                }
            }
            try {
                sink.endOfBatch(0);
            } catch (RuntimeException e) {
                int last = batch.count() - 1;
                contain(sink, e, last < 0 ? 0 : batch.number(last), last < 0 ? 0 : batch.timestampNs(last));
            }
        }
    }

    private void contain(FrameSink sink, RuntimeException thrown, long number, long timestampNs) {
        if (sink.endsRun(thrown)) {
            throw thrown;
        }
        failures.add(Failures.Kind.CONSUMER, thrown, number, timestampNs);
    }

    /** No frame follows. */
    public void stop() {
        isStopped = true;
    }

    /** Whether the batch at hand is full: if not, the source is at its end, or its sender takes its time. */
    public boolean isBatchFull() {
        return batch.isFull();
    }

    /** What the sink threw first where it went on; null where it threw nothing. */
    public @Nullable RuntimeException defect() {
        return failures.first();
    }
}
