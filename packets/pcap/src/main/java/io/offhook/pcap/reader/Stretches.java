package io.offhook.pcap.reader;

import io.offhook.packet.FrameBatch;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * A round of stretches of a mapped pcap file, each read into a batch by a thread of its own.
 *
 * <p>Only the preceding records determine where the records of a stretch begin. A thread whose predecessor is still
 * reading guesses by the content of records, reads, and then waits for the predecessor's actual end; if that differs
 * from the guess, it reads again from there. So the frames of a batch do not depend on the threads, and threads wait
 * only for reading, not for the processing of frames. The first unusual record ends the round: it and what follows are
 * left to {@link MappedInput#fill}.
 */
public final class Stretches {
    /** The quarters of a batch that a stretch is to fill; one stays free in case packets are smaller than before. */
    private static final int FILLED_OF_4 = 3;

    private static final long UNKNOWN = -1;
    private static final int SPINS = 200;
    private static final long REST_NS = 10_000;

    private final MappedInput input;
    private final PcapReader reader;
    private final MemorySegment segment;

    /** Where the stretch before the {@code i}th ended, and the number of the next frame, which is written first. */
    private AtomicLongArray starts = new AtomicLongArray(0);

    private long[] numbers = {};
    private int batches;
    private long begin;
    private long firstNumber;
    private long length;
    private int nearSeconds;
    private long frameBytes;
    /**
     * Whether a stretch could not be read to its end, so that everything after it is left to {@link MappedInput#fill}.
     */
    private volatile boolean isBroken;

    Stretches(MappedInput input, PcapReader reader, MemorySegment segment) {
        this.input = input;
        this.reader = reader;
        this.segment = segment;
    }

    /**
     * Begins a round of batches if the file has enough left; called by one thread.
     *
     * @param capacity the capacity of each batch
     * @param firstNumber the number of the first frame
     * @return false if the next frames must be read with {@link MappedInput#fill}
     */
    public boolean begin(int batches, int capacity, long firstNumber) {
        if (!reader.isDivisible() || reader.packets() < capacity || isBroken) {
            return false;
        }
        begin = input.position();
        if (frameBytes == 0) {
            frameBytes = begin / reader.packets();
        }
        length = frameBytes * capacity / 4 * FILLED_OF_4;
        if (segment.byteSize() - begin < length * batches + RecordReader.USUAL_PACKET_BYTES) {
            return false;
        }
        this.batches = batches;
        this.firstNumber = firstNumber;
        nearSeconds = reader.secondsAt(segment, begin);
        starts = new AtomicLongArray(batches + 1);
        numbers = new long[batches + 1];
        for (int i = 1; i <= batches; i++) {
            starts.setPlain(i, UNKNOWN);
        }
        numbers[0] = firstNumber;
        starts.setRelease(0, begin);
        return true;
    }

    /**
     * Fills a batch with the frames of a stretch. Each batch is filled once; those of lower indexes were started
     * before, on any thread.
     *
     * @return whether there are any frames
     */
    public boolean fill(int i, FrameBatch batch) {
        long end = UNKNOWN;
        try {
            batch.clear(1);
            end = read(i, batch);
        } finally {
            if (end == UNKNOWN) {
                isBroken = true;
            }
            numbers[i + 1] = numbers[i] + batch.count();
            starts.setRelease(i + 1, end == UNKNOWN ? Long.MAX_VALUE : end);
        }
        return batch.count() > 0;
    }

    /** @return where the next stretch begins; {@link #UNKNOWN} if the file cannot be divided further */
    private long read(int i, FrameBatch batch) {
        long planned = begin + (i + 1) * length;
        long guess = starts.getAcquire(i);
        if (guess == UNKNOWN) {
            guess = reader.likelyRecord(segment, planned - length, planned, nearSeconds);
        }
        long reached = guess < 0 || guess == Long.MAX_VALUE ? guess : hop(guess, planned, batch);
        long start = await(i);
        if (start == Long.MAX_VALUE) {
            batch.clear(1);
            return UNKNOWN;
        }
        if (start != guess) {
            batch.clear(1);
            reached = hop(start, planned, batch);
        }
        batch.renumber(numbers[i]);
        boolean isWhole = reached >= planned || batch.count() == batch.capacity();
        if (!isWhole) {
            isBroken = true;
        }
        return reached;
    }

    private long hop(long start, long planned, FrameBatch batch) {
        ByteWindow window = new ByteWindow();
        window.segment = segment;
        window.limit = segment.byteSize();
        window.position = start;
        reader.hop(window, Math.max(planned, start + 1), batch.addSegment(segment), batch);
        return window.position;
    }

    private long await(int i) {
        long start = starts.getAcquire(i);
        for (int spins = 0; start == UNKNOWN; spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(REST_NS); // the other lane may be waiting for this processor
            }
            start = starts.getAcquire(i);
        }
        return start;
    }

    /**
     * Ends a round once all of its batches are filled; called by one thread.
     *
     * @return the number of frames in them
     */
    public long end() {
        int last = batches;
        while (last > 0 && (starts.get(last) == UNKNOWN || starts.get(last) == Long.MAX_VALUE)) {
            last--;
        }
        long frames = numbers[last] - firstNumber;
        if (frames > 0) {
            frameBytes = Math.max(1, (starts.get(last) - begin) / frames);
        }
        reader.add(frames);
        input.moveTo(starts.get(last));
        return frames;
    }
}
