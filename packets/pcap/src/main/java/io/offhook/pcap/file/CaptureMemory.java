package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.FileTruncatedException;
import io.offhook.pcap.PacketSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Captures in native memory, loaded once and replayed any number of times, also to several threads at once, each with
 * its own {@link #replay()}. The frames of a replay are references; none is copied. They are numbered from 1, without
 * gaps even if a filter dropped some while loading.
 *
 * <p>The memory is bounded when loading; a frame takes 32 bytes besides its own. Closing frees it: all reading threads
 * must have finished by then, and a replay that continues throws {@link IllegalStateException}.
 */
public final class CaptureMemory implements AutoCloseable {
    private static final long LEAST_CHUNK_BYTES = 256 << 10;
    private static final long MOST_CHUNK_BYTES = 64 << 20;
    private static final int LOAD_FRAMES = 4096;

    /**
     * The entry of a frame: place (8), time (8), captured length (4), wire length (4), interface (2), link type (2),
     * unused (4).
     */
    private static final int ENTRY_BYTES = 32;

    private static final int ENTRIES = 1 << 10;
    /** The low bits of a place are the offset in a chunk; the bits above them are the chunk. */
    private static final int OFFSET_BITS = 40;

    private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;

    private static final VarHandle U64 = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle U32 = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle U16 = ValueLayout.JAVA_SHORT.varHandle();

    private final Arena arena = Arena.ofShared();
    private final List<MemorySegment> chunks = new ArrayList<>();
    private final List<MemorySegment> index = new ArrayList<>();
    private final long mostBytes;

    private MemorySegment[] replayedChunks = {};
    private MemorySegment[] replayedIndex = {};
    private List<CaptureInterface> interfaces = List.of();
    private List<CaptureFault> faults = List.of();
    private List<CaptureLoss> losses = List.of();
    private long endNs;
    private long used;
    private long bytes;
    private long frames;
    private long taken;

    private CaptureMemory(long mostBytes) {
        if (mostBytes < 1) {
            throw new IllegalArgumentException("mostBytes " + mostBytes + " is below 1");
        }
        this.mostBytes = mostBytes;
    }

    /**
     * Loads files as {@link CaptureFiles#open} reads them; several are merged by time.
     *
     * @param mostBytes the most native memory to use, in bytes, at least 1
     * @throws IllegalArgumentException if the captures need more
     * @throws FileTruncatedException if another process truncates a mapped file meanwhile
     */
    public static CaptureMemory load(List<String> pathsOrPatterns, long mostBytes) {
        try (PacketSource source = CaptureFiles.open(pathsOrPatterns)) {
            return load(source, mostBytes);
        }
    }

    /** As {@link #load(List, long)}, but with the remaining frames of a source, which the caller closes. */
    public static CaptureMemory load(PacketSource source, long mostBytes) {
        CaptureMemory memory = new CaptureMemory(mostBytes);
        try {
            memory.read(source);
            return memory;
        } catch (InternalError e) {
            memory.close();
            if (!source.hasLostMemory()) {
                throw e;
            }
            throw FileTruncatedException.of(source.faults(), e);
        } catch (RuntimeException | Error e) {
            memory.close();
            throw e;
        }
    }

    private void read(PacketSource source) {
        FrameBatch batch = new FrameBatch(LOAD_FRAMES);
        while (source.next(batch)) {
            for (int i = 0; i < batch.count(); i++) {
                add(batch, i);
            }
        }
        interfaces = source.interfaces();
        faults = source.faults();
        losses = source.losses();
        endNs = source.endNs();
        replayedChunks = chunks.toArray(MemorySegment[]::new);
        replayedIndex = index.toArray(MemorySegment[]::new);
    }

    private void add(FrameBatch batch, int i) {
        int length = batch.capturedLength(i);
        if (chunks.isEmpty() || chunks.getLast().byteSize() - used < length) {
            long usual =
                    chunks.isEmpty() ? LEAST_CHUNK_BYTES : 2 * chunks.getLast().byteSize();
            chunks.add(allocate(Math.max(length, Math.min(usual, MOST_CHUNK_BYTES)), length));
            used = 0;
        }
        int entry = (int) (frames % ENTRIES);
        if (entry == 0) {
            index.add(allocate(ENTRIES * ENTRY_BYTES, ENTRIES * ENTRY_BYTES));
        }
        MemorySegment.copy(batch.segmentOf(i), batch.offset(i), chunks.getLast(), used, length);
        MemorySegment entries = index.getLast();
        long at = (long) entry * ENTRY_BYTES;
        U64.set(entries, at, (long) (chunks.size() - 1) << OFFSET_BITS | used);
        U64.set(entries, at + 8, batch.timestampNs(i));
        U32.set(entries, at + 16, length);
        U32.set(entries, at + 20, batch.wireLength(i));
        U16.set(entries, at + 24, (short) batch.interfaceIndex(i));
        U16.set(entries, at + 26, (short) batch.linkType(i));
        used += length;
        bytes += length;
        frames++;
    }

    /** Allocates up to {@code wanted} bytes, leaving half of the remaining budget free, but at least {@code needed}. */
    private MemorySegment allocate(long wanted, long needed) {
        long left = mostBytes - taken;
        long size = Math.max(needed, Math.min(wanted, left / 2));
        if (size > left) {
            throw new IllegalArgumentException("the captures need more than the " + mostBytes + " bytes allowed; "
                    + frames + " frames with " + bytes + " bytes fit");
        }
        taken += size;
        return arena.allocate(size, Long.BYTES);
    }

    /** Returns the number of frames. */
    public long frames() {
        return frames;
    }

    /** Returns the captured bytes of all frames together. */
    public long bytes() {
        return bytes;
    }

    /** Returns the native memory in use, in bytes. */
    public long memoryBytes() {
        return taken;
    }

    /** Returns a source of all frames from the first on, for one thread at a time. Closing it frees nothing. */
    public PacketSource replay() {
        checkOpen();
        return new Replay();
    }

    private void checkOpen() {
        if (!arena.scope().isAlive()) {
            throw new IllegalStateException("the captures in memory are closed");
        }
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /** One pass over the frames. */
    private final class Replay implements PacketSource {
        private long next;
        private boolean isClosed;

        @Override
        public boolean next(FrameBatch batch) {
            if (isClosed) {
                throw new IllegalStateException("the source is closed");
            }
            checkOpen();
            batch.clear(next + 1);
            long end = Math.min(frames, next + batch.capacity());
            int chunk = -1;
            int segmentIndex = -1;
            for (long i = next; i < end; i++) {
                MemorySegment entries = replayedIndex[(int) (i / ENTRIES)];
                long at = i % ENTRIES * ENTRY_BYTES;
                long place = (long) U64.get(entries, at);
                int of = (int) (place >>> OFFSET_BITS);
                if (of != chunk) {
                    chunk = of;
                    segmentIndex = batch.addSegment(replayedChunks[of]);
                    if (segmentIndex < 0) {
                        end = i; // the batch refers to as many segments as it can
                        break;
                    }
                }
                batch.add(
                        segmentIndex,
                        place & OFFSET_MASK,
                        (int) U32.get(entries, at + 16),
                        (int) U32.get(entries, at + 20),
                        (long) U64.get(entries, at + 8),
                        (short) U16.get(entries, at + 24),
                        (short) U16.get(entries, at + 26));
            }
            next = end;
            return batch.count() > 0;
        }

        @Override
        public List<CaptureInterface> interfaces() {
            return interfaces;
        }

        @Override
        public List<CaptureFault> faults() {
            return faults;
        }

        @Override
        public List<CaptureLoss> losses() {
            return losses;
        }

        @Override
        public long endNs() {
            return endNs;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
