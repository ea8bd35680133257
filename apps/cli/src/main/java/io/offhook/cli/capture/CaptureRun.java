package io.offhook.cli.capture;

import io.offhook.cli.input.CaptureEnd;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.rewrite.RewriteTarget;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.file.QueuedSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Copies packets from interfaces to a file and counts them: the work of {@code offhook capture}. */
final class CaptureRun {
    private static final int BATCH_FRAMES = 4096;
    private static final long REHEARSAL_BUFFER = 4L << 20;
    private static final long SECOND_NS = 1_000_000_000L;

    private final LiveSource source;
    private final CaptureWriting writing;
    private final QueuedSink sink;
    private final LanePlacement.Place place;
    private final long mostBytes;
    private final long startNs = nowNs();
    private final Lane[] lanes;

    private boolean isLossOpen;
    private long handed;
    private long reportedNs = System.nanoTime();
    private volatile long packets;
    private long gatheredBytes;
    private volatile long bytes;
    private volatile long diskDrops;

    /** The counters of an interface. */
    private static final class Lane {
        long packets;
        /** Drops so far, drops not yet written to a file, and the time at which the drops were read. */
        long drops;

        long unreported;
        long untilNs;
    }

    /**
     * Creates a run without starting it.
     *
     * @param mostBytes the number of packet bytes after which the run ends
     * @param bufferBytes the memory for packets that wait to be written
     * @param placement the processors for the capturing thread and, if one is left over, for the writing thread
     */
    CaptureRun(LiveSource source, CaptureWriting writing, long mostBytes, long bufferBytes, LanePlacement placement) {
        this.writing = writing;
        this.mostBytes = mostBytes;
        this.source = source;
        place = placement.reserve("capture");
        WriterLane writer = new WriterLane(placement.reserveLeftOver("writer"), bufferBytes);
        sink = QueuedSink.of(writing.sink(), bufferBytes, writer);
        writer.sink = sink;
        lanes = new Lane[source.interfaces().size()];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new Lane();
        }
    }

    /** Captures from memory and discards the packets, so that the capturing code is compiled. */
    static void rehearse(LiveOptions options, CaptureFormat format) throws IOException {
        try (LiveSource source = options.rehearsal()) {
            CaptureWriting nowhere =
                    CaptureWriting.toNowhere(format, source.interfaces().getFirst());
            new CaptureRun(source, nowhere, Long.MAX_VALUE, REHEARSAL_BUFFER, LanePlacement.anywhere()).run();
        }
    }

    /**
     * Captures until the source ends or the limit is reached.
     *
     * @throws java.io.UncheckedIOException if a packet cannot be written
     */
    void run() {
        place.enter();
        try (sink) {
            FrameBatch batch = new FrameBatch(BATCH_FRAMES);
            while (source.next(batch)) {
                take(batch);
            }
            end();
        } finally {
            publish();
            place.leave();
        }
    }

    /** Writes a batch that was captured, and stops the source once the limit is reached. */
    void take(FrameBatch batch) {
        look();
        write(batch);
        if (gatheredBytes >= mostBytes) {
            source.stop();
        }
        long now = System.nanoTime();
        if (now - reportedNs >= SECOND_NS) {
            reportedNs = now;
            sink.time(nowNs());
        }
    }

    private void end() {
        look();
        for (int i = 0; i < lanes.length; i++) {
            report(i);
        }
        sink.time(nowNs());
    }

    /** Ends a run whose batches were {@linkplain #take taken} one by one: writes everything, and closes the target. */
    void finish() {
        try (sink) {
            end();
        } finally {
            publish();
        }
    }

    /** Packets in the files of a finished run. */
    long packetsKept() {
        return writing.packetsKept().getAsLong();
    }

    /** Reads the drop counters. New drops lie between the packets delivered so far and those stamped from now on. */
    private void look() {
        for (int i = 0; i < lanes.length; i++) {
            Lane lane = lanes[i];
            long drops = source.counts(i).drops();
            if (drops != lane.drops) {
                lane.unreported += drops - lane.drops;
                lane.drops = drops;
                lane.untilNs = nowNs();
                isLossOpen = true;
            }
        }
    }

    private void write(FrameBatch batch) {
        for (int i = 0; i < batch.count() && gatheredBytes < mostBytes; i++) {
            int index = batch.interfaceIndex(i);
            Lane lane = lanes[index];
            if (isLossOpen && lane.unreported > 0 && batch.timestampNs(i) > lane.untilNs) {
                report(index);
            }
            sink.write(batch, i);
            lane.packets++;
            handed++;
            gatheredBytes += batch.capturedLength(i);
        }
        publish();
    }

    private void report(int index) {
        Lane lane = lanes[index];
        sink.lost(index, lane.unreported, 0);
        lane.unreported = 0;
        isLossOpen = false;
        for (Lane other : lanes) {
            isLossOpen |= other.unreported > 0;
        }
    }

    private void publish() {
        sink.show();
        packets = handed;
        bytes = gatheredBytes;
        diskDrops = sink.drops();
    }

    /** Packets captured so far, including disk drops. Thread-safe. */
    long packets() {
        return packets;
    }

    /** Bytes of the packets captured so far. Thread-safe. */
    long bytes() {
        return bytes;
    }

    /** Packets dropped because the disk was too slow. Thread-safe. */
    long diskDrops() {
        return diskDrops;
    }

    /** The counters of all interfaces. Thread-safe. */
    LiveCounts counts() {
        return source.counts();
    }

    /**
     * The statistics of the finished run.
     *
     * @param input the input that owns the source
     * @param hasFailed whether the run ended because the output could not be written
     */
    CaptureStatistics statistics(RewriteTarget target, LiveInput input, boolean hasFailed) {
        List<CaptureStatistics.Interface> interfaces = new ArrayList<>();
        for (int i = 0; i < lanes.length; i++) {
            CaptureInterface captured = source.interfaces().get(i);
            interfaces.add(new CaptureStatistics.Interface(
                    captured.file(), captured.linkType(), lanes[i].packets, sink.drops(i), source.counts(i)));
        }
        long kept = writing.packetsKept().getAsLong();
        return new CaptureStatistics(
                target.toString(),
                writing.format(),
                target.compression(),
                startNs,
                nowNs(),
                endedBy(input, hasFailed),
                writing.files().getAsLong(),
                writing.bytes().getAsLong(),
                gatheredBytes,
                handed,
                kept,
                handed - kept,
                source.counts(),
                interfaces,
                source.faults());
    }

    private CaptureEnd endedBy(LiveInput input, boolean hasFailed) {
        if (hasFailed) {
            return CaptureEnd.UNWRITABLE;
        }
        if (input.isInterrupted()) {
            return CaptureEnd.SIGNAL;
        }
        if (gatheredBytes >= mostBytes) {
            return CaptureEnd.BYTES;
        }
        return input.endedBy();
    }

    private static long nowNs() {
        return System.currentTimeMillis() * 1_000_000L;
    }
}
