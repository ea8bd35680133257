package io.offhook.analysis;

import io.offhook.packet.FrameBatch;
import org.jspecify.annotations.Nullable;

/**
 * The frames that are worked on together, and the events found in them: a fixed number of batches, so that what is known
 * when a packet is looked at does not depend on the number of lanes.
 */
final class Round {
    static final int BATCHES = 16;
    private static final int FRAMES_PER_BATCH = 4096;

    private final @Nullable FrameBatch[] batches = new FrameBatch[BATCHES];
    private final @Nullable BatchEvents[] events = new BatchEvents[BATCHES];
    private final @Nullable BatchEvents[] reassembled = new BatchEvents[BATCHES];
    private int count;

    int count() {
        return count;
    }

    /** One more batch, to be filled. */
    FrameBatch grow() {
        FrameBatch batch = batches[count];
        if (batch == null) {
            batch = new FrameBatch(FRAMES_PER_BATCH);
            batches[count] = batch;
            events[count] = new BatchEvents();
        }
        count++;
        return batch;
    }

    /** The last batch turned out to be empty. */
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

    /** What the fragments of a batch made whole; null where it had none. */
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

    void clear() {
        for (int i = 0; i < count; i++) {
            events(i).clear();
            BatchEvents late = reassembled[i];
            if (late != null) {
                late.clear();
            }
        }
        count = 0;
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
