package io.offhook.analysis;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The frames that are processed together, and the events found in them. What is known when a packet is processed depends on
 * its place in the capture, not on the round that it is in.
 *
 * <p>The first rounds are small: 256 frames, 1,024, 4,096... All phases have then run, and are being compiled, before
 * the bulk of the frames arrives.
 */
final class RoundBatches {
    static final int BATCHES = 16;
    static final int FRAMES_PER_BATCH = 4096;
    private static final int FIRST_FRAMES_PER_BATCH = 16;
    private static final int GROWTH = 4;

    /** Rounds during which compilers need the processors more than further lanes do. */
    private static final int WARM_UP = 3;

    private final @Nullable FrameBatch[] batches = new FrameBatch[BATCHES];
    private final @Nullable BatchEvents[] events = new BatchEvents[BATCHES];
    private final @Nullable BatchEvents[] reassembled = new BatchEvents[BATCHES];
    private int count;
    private int framesPerBatch = FIRST_FRAMES_PER_BATCH;
    private int mostFramesPerBatch = FRAMES_PER_BATCH;
    private int limit = BATCHES;
    private int roundsDone;

    /** Rounds that grow to their usual size. */
    RoundBatches() {}

    /** @param frames of each round, as far as the source fills its batches; 0 for the usual rounds */
    RoundBatches(int frames) {
        if (frames > 0) {
            limit = Math.min(frames, BATCHES);
            mostFramesPerBatch = Math.max(1, frames / BATCHES);
            framesPerBatch = mostFramesPerBatch;
        }
    }

    /** Whether this is one of the first rounds, which are not worth a second lane. */
    boolean isWarmUp() {
        return roundsDone < WARM_UP;
    }

    int count() {
        return count;
    }

    /** Adds a batch, to be filled. */
    FrameBatch grow() {
        FrameBatch batch = batches[count];
        if (batch == null) {
            batch = new FrameBatch(framesPerBatch);
            batches[count] = batch;
        }
        if (events[count] == null) {
            events[count] = new BatchEvents();
        }
        count++;
        return batch;
    }

    /** Whether batches have reached their final size. */
    boolean isFullSize() {
        return framesPerBatch >= mostFramesPerBatch;
    }

    /** The most batches of a round. */
    int limit() {
        return limit;
    }

    /** The frames that a batch has room for. */
    int framesPerBatch() {
        return framesPerBatch;
    }

    boolean isFull() {
        return count == limit;
    }

    /** Adds all remaining batches, to be filled by several lanes. */
    void growAll() {
        while (!isFull()) {
            grow();
        }
    }

    /** Drops the empty batches at the end. */
    void shrinkToFilled() {
        while (count > 0 && batch(count - 1).count() == 0) {
            count--;
        }
    }

    /** Drops the last batch, which stayed empty. */
    void shrink() {
        count--;
    }

    FrameBatch batch(int i) {
        FrameBatch batch = batches[i];
        if (batch == null) {
            throw new IllegalStateException("batch " + i + " of " + count);
        }
        return batch;
    }

    BatchEvents events(int i) {
        BatchEvents found = events[i];
        if (found == null) {
            throw new IllegalStateException("events " + i + " of " + count);
        }
        return found;
    }

    /** What was found in the datagrams that the fragments of a batch completed; null if there were none. */
    @Nullable
    BatchEvents reassembled(int i) {
        return reassembled[i];
    }

    BatchEvents growReassembled(int i) {
        BatchEvents found = reassembled[i];
        if (found == null) {
            found = new BatchEvents();
            reassembled[i] = found;
        }
        return found;
    }

    /** Releases all frames to their source. */
    void release(PacketSource source) {
        for (FrameBatch batch : batches) {
            if (batch != null) {
                source.release(batch);
            }
        }
    }

    void clear() {
        for (int i = 0; i < count; i++) {
            events(i).clear();
            BatchEvents late = reassembled[i];
            if (late != null) {
                late.clear();
            }
        }
        count = 0;
        roundsDone++;
        if (!isFullSize()) {
            framesPerBatch *= GROWTH;
            Arrays.fill(batches, null);
        }
    }

    /** What all lanes counted in all rounds. */
    CaptureCounters counters() {
        CaptureCounters sum = new CaptureCounters();
        for (int i = 0; i < BATCHES; i++) {
            BatchEvents found = events[i];
            BatchEvents late = reassembled[i];
            if (found != null) {
                sum.add(found.counters);
            }
            if (late != null) {
                sum.add(late.counters);
            }
        }
        return sum;
    }
}
