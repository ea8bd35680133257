package io.offhook.analysis;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PacketSource;
import org.jspecify.annotations.Nullable;

/**
 * Passes the frames of a source to one sink, on the caller's thread, batch by batch, in the order of capture: for
 * output in that order that must not wait for later frames. Fragments and streams are not reassembled.
 *
 * <p>An exception of the sink costs the frame that it was thrown at, unless the sink {@linkplain FrameSink#endsRun ends
 * the run}. Can be run once.
 */
public final class FrameLoop {
    private final PacketSource source;
    private final PacketWalker walker;
    private final FrameBatch batch;
    private final Failures failures = new Failures();
    private boolean isStopped;

    /**
     * Creates a loop.
     *
     * @param batchFrames the most frames in a batch, 1 or more
     */
    public FrameLoop(PacketSource source, int batchFrames) {
        this(source, batchFrames, new PacketWalker());
    }

    /** As {@link #FrameLoop(PacketSource, int)}, with a walker that may have registered protocols. */
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

    /** Ends the loop: no further frame is passed. */
    public void stop() {
        isStopped = true;
    }

    /** Whether the current batch is full. If not, the source is at its end or has no further frame yet. */
    public boolean isBatchFull() {
        return batch.isFull();
    }

    /** The first exception of the sink that was contained; null if there was none. */
    public @Nullable RuntimeException defect() {
        return failures.first();
    }
}
