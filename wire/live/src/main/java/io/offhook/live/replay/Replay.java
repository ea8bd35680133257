package io.offhook.live.replay;

import io.offhook.live.LiveSink;
import io.offhook.live.engine.Count;
import io.offhook.live.replay.ReplayReport.End;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Sends captured frames again, at the times of a schedule. A late frame is sent at once, together with all others that
 * are late by then, and the rest keep their times: a pause of the machine causes a burst, not a shift. Captured frame
 * check sequences are left out.
 *
 * <p>One thread calls {@link #run}, once; {@link #stop} and {@link #report} are thread-safe.
 */
public final class Replay {
    private static final int BATCH_FRAMES = 1024;
    /** The most late frames passed to the kernel at once, so that the first does not wait for the last. */
    private static final int BURST = 64;

    private final Supplier<PacketSource> sources;
    private final LiveSink sink;
    private final ReplayOptions options;
    private final ReplayClock clock;
    private final ReplaySchedule schedule;
    private final boolean isTimed;
    private final FrameBatch batch = new FrameBatch(BATCH_FRAMES);
    private final Count passes = new Count();
    private final Count read = new Count();
    private final Count filtered = new Count();
    private final Count cutShort = new Count();
    private final Count padded = new Count();
    private final Count sentUntilNs = new Count();
    private final Count lateNs = new Count();

    /** By interface of the current source, as far as it was seen. */
    private int[] frameCheckBytes = {};

    private MemorySegment padding = MemorySegment.NULL;
    /** The frames in the sink that were not sent yet, and when the first of them was due. */
    private int gathered;

    private long gatheredDueNs;
    private long offered;
    private long nowNs;
    private volatile boolean isStopping;
    private volatile List<CaptureFault> faults = List.of();
    private volatile End end = End.NOT_YET;

    /**
     * Prepares a replay; nothing is read or sent yet.
     *
     * @param sources opens the frames, once for each pass; each source is closed after reading
     * @param sink the destination; it stays open
     */
    public Replay(Supplier<PacketSource> sources, LiveSink sink, ReplayOptions options) {
        this(sources, sink, options, new ReplayClock.OfSystem(options.idleStrategy()));
    }

    Replay(Supplier<PacketSource> sources, LiveSink sink, ReplayOptions options, ReplayClock clock) {
        this.sources = sources;
        this.sink = sink;
        this.options = options;
        this.clock = clock;
        schedule = new ReplaySchedule(options.speed());
        isTimed = options.speed().kind() != ReplaySpeed.Kind.TOP;
    }

    /**
     * Sends until the replay ends.
     *
     * @return the result
     */
    public ReplayReport run() {
        try (Arena arena = Arena.ofConfined()) {
            End reached = End.NOT_YET;
            while (reached == End.NOT_YET) {
                long before = offered;
                reached = pass(arena);
                if (reached == End.NOT_YET) {
                    passes.add(1);
                    reached = passes.get() == options.passes() ? End.DONE : offered == before ? End.NOTHING : reached;
                }
            }
            end = reached;
        }
        return report();
    }

    private End pass(Arena arena) {
        schedule.beginPass();
        frameCheckBytes = new int[0];
        try (PacketSource source = sources.get()) {
            End reached = End.NOT_YET;
            while (reached == End.NOT_YET && source.next(batch)) {
                for (int i = 0; i < batch.count() && reached == End.NOT_YET; i++) {
                    reached = frame(i, source, arena);
                }
                // reading the next batch may take long
                flush();
            }
            filtered.add(source.filtered().count());
            if (faults.isEmpty()) {
                faults = source.faults();
            }
            return reached;
        }
    }

    private End frame(int i, PacketSource source, Arena arena) {
        if (offered == options.frames() && offered > 0) {
            return End.FRAMES;
        }
        // the network card adds the frame check sequence
        int wire = Math.max(batch.wireLength(i), batch.capturedLength(i));
        int bytes = Math.max(0, wire - frameCheckBytes(batch.interfaceIndex(i), source));
        int captured = Math.min(batch.capturedLength(i), bytes);
        boolean isWhole = captured == bytes;
        if (!isWhole && !options.isPadded()) {
            read.add(1);
            cutShort.add(1);
            return stopped();
        }
        if (offered == 0) {
            clock.start();
        }
        long dueNs = schedule.next(batch.timestampNs(i), bytes);
        End reached = await(dueNs);
        if (reached != End.NOT_YET) {
            return reached;
        }
        if (gathered++ == 0) {
            gatheredDueNs = dueNs;
        }
        offered++;
        read.add(1);
        if (isWhole) {
            sink.write(batch.segmentOf(i), batch.offset(i), bytes, bytes, batch.timestampNs(i), batch.linkType(i));
        } else {
            writePadded(i, captured, bytes, arena);
        }
        if (gathered == BURST) {
            flush();
            return sink.isGone() ? End.INTERFACE_GONE : End.NOT_YET;
        }
        return End.NOT_YET;
    }

    private End stopped() {
        return isStopping ? End.STOPPED : End.NOT_YET;
    }

    /** Waits until a frame is due. */
    private End await(long dueNs) {
        if (isOver(dueNs)) {
            return End.DURATION;
        }
        if (isTimed && dueNs > nowNs) {
            nowNs = clock.nowNs();
            if (dueNs > nowNs) {
                flush();
                if (sink.isGone()) {
                    return End.INTERFACE_GONE;
                }
            }
            while (dueNs > nowNs && !isStopping && !isOver(nowNs)) {
                clock.await(dueNs - nowNs);
                nowNs = clock.nowNs();
            }
        }
        return isOver(nowNs) ? End.DURATION : stopped();
    }

    private boolean isOver(long ns) {
        return options.durationNs() > 0 && ns >= options.durationNs();
    }

    private void flush() {
        if (gathered == 0) {
            return;
        }
        sink.flush();
        nowNs = clock.nowNs();
        sentUntilNs.add(nowNs - sentUntilNs.get());
        long late = nowNs - gatheredDueNs;
        if (isTimed && late > lateNs.get()) {
            lateNs.add(late - lateNs.get());
        }
        gathered = 0;
    }

    /** Returns the length of the frame check sequence of an interface's frames, if the source declares one. */
    private int frameCheckBytes(int interfaceIndex, PacketSource source) {
        if (interfaceIndex >= frameCheckBytes.length) {
            List<CaptureInterface> interfaces = source.interfaces();
            int known = frameCheckBytes.length;
            frameCheckBytes = Arrays.copyOf(frameCheckBytes, Math.max(interfaceIndex + 1, interfaces.size()));
            for (int i = known; i < interfaces.size(); i++) {
                frameCheckBytes[i] = Math.max(0, interfaces.get(i).frameCheckBytes());
            }
        }
        return frameCheckBytes[interfaceIndex];
    }

    private void writePadded(int i, int captured, int bytes, Arena arena) {
        if (padding.byteSize() < bytes) {
            padding = arena.allocate(Math.max(bytes, 1 << 16));
        }
        MemorySegment.copy(batch.segmentOf(i), batch.offset(i), padding, 0, captured);
        padding.asSlice(captured, bytes - captured).fill((byte) 0);
        padded.add(1);
        sink.write(padding, 0, bytes, bytes, batch.timestampNs(i), batch.linkType(i));
    }

    /** Ends the replay after the current frame, so that {@link #run} returns. Thread-safe. */
    public void stop() {
        isStopping = true;
    }

    /** Returns the progress so far. Thread-safe. */
    public ReplayReport report() {
        return new ReplayReport(
                end,
                passes.get(),
                read.get(),
                filtered.get(),
                cutShort.get(),
                padded.get(),
                sink.counts(),
                sentUntilNs.get(),
                lateNs.get());
    }

    /** Returns the faults of the frames' source, from the first pass that had any. Thread-safe. */
    public List<CaptureFault> faults() {
        return faults;
    }
}
