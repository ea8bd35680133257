package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.ConcurrentFill;
import io.offhook.pcap.reader.InputBytes;
import io.offhook.pcap.reader.Stretches;
import org.jspecify.annotations.Nullable;

/** One file, in its own order. */
final class SingleFileSource extends OpenedFilesSource {
    private final InputBytes input;

    private final @Nullable ConcurrentFill concurrently;

    /** @param files one file only */
    SingleFileSource(OpenedFiles files) {
        super(files);
        input = files.inputs().getFirst();
        Stretches stretches = input.stretches();
        concurrently = stretches == null ? null : new Rounds(stretches);
    }

    @Override
    void fill(FrameBatch batch) {
        input.fill(batch);
    }

    @Override
    public @Nullable ConcurrentFill concurrently() {
        return concurrently;
    }

    /** Numbers frames across rounds. */
    private final class Rounds implements ConcurrentFill {
        private final Stretches stretches;

        Rounds(Stretches stretches) {
            this.stretches = stretches;
        }

        @Override
        public boolean begin(int batches, int capacity) {
            return !isClosed() && stretches.begin(batches, capacity, nextNumber());
        }

        @Override
        public boolean fill(int i, FrameBatch batch) {
            return stretches.fill(i, batch);
        }

        @Override
        public void end() {
            passed(stretches.end());
        }
    }
}
