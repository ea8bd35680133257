package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.reader.BatchBuffers;
import io.offhook.pcap.reader.InputBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Several files merged by time: the earliest of the files' next frames comes first; of equal times, that of the file
 * given first. Each file keeps its own order, even if its times go backwards.
 *
 * <p>Frames of mapped files are passed on by reference, those of streamed ones are copied into the batch's buffer.
 */
final class MergedFileSource extends OpenedFilesSource {
    /** The number of frames read ahead of each file. */
    private static final int RUN_FRAMES = 256;

    private static final int USUAL_FRAME_BYTES = 256;
    private static final int MOST_BUFFER_BYTES = 4 << 20;

    private final BatchBuffers buffers;
    private final List<Run> runs;
    /** A binary heap of the runs that have frames left, the earliest at 0. */
    private final Run[] heap;

    private int heapSize;
    private boolean started;
    /** The bytes of the batch's buffer in use, and the buffer's index among the batch's segments, or -1. */
    private long bufferUsed;

    private int bufferSegmentIndex;

    MergedFileSource(OpenedFiles files) {
        super(files);
        buffers = new BatchBuffers(files.arena());
        List<Run> runs = new ArrayList<>();
        for (InputBytes input : files.inputs()) {
            runs.add(new Run(input, runs.size()));
        }
        this.runs = List.copyOf(runs);
        heap = new Run[runs.size()];
    }

    @Override
    void fill(FrameBatch batch) {
        if (!started) {
            started = true;
            startRuns();
        }
        bufferUsed = 0;
        bufferSegmentIndex = -1;
        for (Run run : runs) {
            run.segmentIndex = -1;
        }
        while (heapSize > 0 && !batch.isFull()) {
            Run run = heap[0];
            if (!handOn(run, batch)) {
                break;
            }
            if (!run.advance()) {
                heap[0] = heap[--heapSize];
            }
            siftDown(0);
        }
    }

    private void startRuns() {
        for (Run run : runs) {
            if (run.refill()) {
                heap[heapSize++] = run;
            }
        }
        for (int i = heapSize / 2 - 1; i >= 0; i--) {
            siftDown(i);
        }
    }

    private void siftDown(int start) {
        if (start >= heapSize) {
            return;
        }
        Run run = heap[start];
        int at = start;
        while (true) {
            int child = 2 * at + 1;
            if (child >= heapSize) {
                break;
            }
            if (child + 1 < heapSize && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (!heap[child].isBefore(run)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = run;
    }

    /** @return false if the batch has no room for the frame: no free segment, or too little of its buffer left */
    private boolean handOn(Run run, FrameBatch batch) {
        int captured = run.batch.capturedLength(run.at);
        long offset = run.batch.offset(run.at);
        MemorySegment segment = run.batch.segmentOf(run.at);
        int segmentIndex;
        if (run.input.isMapped()) {
            if (run.segmentIndex < 0) {
                run.segmentIndex = batch.addSegment(segment);
            }
            segmentIndex = run.segmentIndex;
        } else {
            if (!copy(segment, offset, captured, batch)) {
                return false;
            }
            offset = bufferUsed;
            if (bufferSegmentIndex < 0) {
                bufferSegmentIndex = batch.addSegment(batch.buffer());
            }
            segmentIndex = bufferSegmentIndex;
        }
        if (segmentIndex < 0) {
            return false;
        }
        if (!run.input.isMapped()) {
            bufferUsed += captured;
        }
        batch.add(
                segmentIndex,
                offset,
                captured,
                run.batch.wireLength(run.at),
                run.timestampNs,
                run.batch.interfaceIndex(run.at),
                run.batch.linkType(run.at));
        return true;
    }

    /** Copies a frame to {@link #bufferUsed}; returns false if the buffer has no room for it. */
    private boolean copy(MemorySegment segment, long offset, int captured, FrameBatch batch) {
        if (bufferUsed == 0) {
            MemorySegment before = batch.buffer();
            long usual = Math.min((long) batch.capacity() * USUAL_FRAME_BYTES, MOST_BUFFER_BYTES);
            if (!buffers.give(batch, Math.max(usual, captured)).equals(before)) {
                bufferSegmentIndex = -1; // frames without bytes may have come before this one
            }
        } else if (batch.buffer().byteSize() - bufferUsed < captured) {
            return false;
        }
        MemorySegment.copy(segment, offset, batch.buffer(), bufferUsed, captured);
        return true;
    }

    /** The frames of one file that were read but not passed on yet. */
    private static final class Run {
        final InputBytes input;
        final int rank;
        final FrameBatch batch = new FrameBatch(RUN_FRAMES);
        /** The index of the next frame in the batch, and its time. */
        int at;

        long timestampNs;
        /** The index of the file's segment in the batch being filled, or -1. */
        int segmentIndex;

        Run(InputBytes input, int rank) {
            this.input = input;
            this.rank = rank;
        }

        /** @return false if the file has no more frames */
        boolean advance() {
            at++;
            if (at == batch.count()) {
                return refill();
            }
            timestampNs = batch.timestampNs(at);
            return true;
        }

        boolean refill() {
            batch.clear(1);
            input.fill(batch);
            at = 0;
            if (batch.count() == 0) {
                return false;
            }
            timestampNs = batch.timestampNs(0);
            return true;
        }

        boolean isBefore(Run other) {
            return timestampNs != other.timestampNs ? timestampNs < other.timestampNs : rank < other.rank;
        }
    }
}
