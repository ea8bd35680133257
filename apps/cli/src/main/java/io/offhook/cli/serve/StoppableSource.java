package io.offhook.cli.serve;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.ConcurrentFill;
import io.offhook.pcap.WrappedSource;
import io.offhook.pcap.file.CaptureFileSource;
import org.jspecify.annotations.Nullable;

/** Files that end when somebody says so, after the round that is being read. */
final class StoppableSource extends WrappedSource {
    private static final double WHOLE = 100;

    private final CaptureFileSource files;
    private volatile boolean isStopped;

    StoppableSource(CaptureFileSource files) {
        super(files);
        this.files = files;
    }

    /** May be called by any thread. */
    void stop() {
        isStopped = true;
    }

    boolean isStopped() {
        return isStopped;
    }

    /** How much was read, 0 to 100; NaN if that is not known, as of a pipe. May be called by any thread. */
    double percent() {
        return files.size() <= 0 ? Double.NaN : Math.min(WHOLE, WHOLE * files.position() / files.size());
    }

    @Override
    public boolean next(FrameBatch batch) {
        return !isStopped && files.next(batch);
    }

    @Override
    public @Nullable ConcurrentFill concurrently() {
        ConcurrentFill fill = files.concurrently();
        return fill == null ? null : new StoppableFill(fill);
    }

    /** Begins no round after the stop; {@link #next} then says that it is the end. */
    private final class StoppableFill implements ConcurrentFill {
        private final ConcurrentFill fill;

        StoppableFill(ConcurrentFill fill) {
            this.fill = fill;
        }

        @Override
        public boolean begin(int batches, int capacity) {
            return !isStopped && fill.begin(batches, capacity);
        }

        @Override
        public boolean fill(int i, FrameBatch batch) {
            return fill.fill(i, batch);
        }

        @Override
        public void end() {
            fill.end();
        }
    }
}
