package io.offhook.analysis;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The frames that are worked on together, and the events found in them: a fixed number of batches, so that what is known
 * when a packet is looked at does not depend on the number of lanes.
 *
 * <p>The first rounds are small: 256 frames, 1,024, 4,096... So the code of all phases has run, and is being compiled,
 * before the bulk comes to any of them.
 */
final class RoundBatches {
    static final int BATCHES = 16;
    static final int FRAMES_PER_BATCH = 4096;
    private static final int FIRST_FRAMES_PER_BATCH = 16;
    private static final int GROWTH = 4;

    /** Of the small rounds, those in which compilers need the processors more than further lanes do. */
    private static final int WARM_UP = 3;

    private final @Nullable FrameBatch[] batches = new FrameBatch[BATCHES];
    private final @Nullable BatchEvents[] events = new BatchEvents[BATCHES];
    private final @Nullable BatchEvents[] reassembled = new BatchEvents[BATCHES];
    private int count;
    private int framesPerBatch = FIRST_FRAMES_PER_BATCH;
    private int roundsDone;

    /** Whether this is one of the first rounds, which are not worth a second lane. */
    boolean isWarmUp() {
        return roundsDone < WARM_UP;
    }

    int count() {
        return count;
    }

    /** One more batch, to be filled. */
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

    /** Whether batches have grown to what they hold from now on. */
    boolean isFullSize() {
        return framesPerBatch >= FRAMES_PER_BATCH;
    }

    /** All batches at once, to be filled by several lanes. */
    void growAll() {
        while (count < BATCHES) {
            grow();
        }
    }

    /** Leaves out the batches at the end that stayed empty. */
    void shrinkToFilled() {
        while (count > 0 && batch(count - 1).count() == 0) {
            count--;
        }
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

    /** Gives all frames back to where they came from. */
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
        if (framesPerBatch < FRAMES_PER_BATCH) {
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
