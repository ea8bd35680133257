package io.offhook.analysis.kept;

import io.offhook.packet.LittleEndian;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The index of a segment, in a file beside it: for each key, where its packets begin. All numbers are little-endian; keys are
 * in ascending order as signed numbers, and positions count units of four bytes, each from the one before.
 *
 * <pre>
 *  0      magic "OFHKIDX1"
 *  8      bytes of the index itself
 * 16      bytes of the segment
 * 24      time of the earliest packet, nanoseconds since the epoch
 * 32      time of the latest
 * 40      packets          (4)
 * 44      keys             (4)
 * 48      for each key: key (4), where its positions begin, from the end of the keys (4), how many (4)
 *         positions: each as 7 bits a byte, the lowest first, with the highest bit set in all but its last byte
 * </pre>
 *
 * Some three bytes a packet. Used by the thread that opened it. It is written under another name and renamed, so that it is whole if it is there.
 */
final class SegmentIndex implements AutoCloseable {
    private static final long MAGIC = 0x3158_4449_4b48_464fL;
    private static final int LENGTH = 8;
    private static final int SEGMENT_LENGTH = 16;
    private static final int FIRST = 24;
    private static final int LAST = 32;
    private static final int PACKETS = 40;
    private static final int KEYS = 44;
    private static final int HEADER = 48;
    private static final int KEY = 12;
    private static final int MOST_POSITION = 5;
    private static final int SEVEN_BITS = 0x7f;
    private static final int MORE = 0x80;

    private final Arena arena;
    private final MemorySegment bytes;

    private SegmentIndex(Arena arena, MemorySegment bytes) {
        this.arena = arena;
        this.bytes = bytes;
    }

    /**
     * Writes an index.
     *
     * @param entries are sorted
     * @return its bytes
     */
    static long write(Path file, IndexEntries entries, Span span) throws IOException {
        ByteBuffer content = encode(entries, span);
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        long length = content.remaining();
        try {
            try (FileChannel channel = FileChannel.open(
                    unfinished,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                while (content.hasRemaining()) {
                    channel.write(content);
                }
            }
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Files.deleteIfExists(unfinished);
            throw e;
        }
        return length;
    }

    /**
     * What a segment covers.
     *
     * @param bytes of the segment
     * @param firstNs time of the earliest packet
     * @param lastNs time of the latest packet
     */
    record Span(long bytes, long firstNs, long lastNs) {}

    private static ByteBuffer encode(IndexEntries entries, Span span) {
        entries.sort();
        int keys = 0;
        for (int i = 0; i < entries.count(); i++) {
            keys += i == 0 || entries.key(i) != entries.key(i - 1) ? 1 : 0;
        }
        int list = HEADER + keys * KEY;
        ByteBuffer out =
                ByteBuffer.allocate(list + MOST_POSITION * entries.count()).order(ByteOrder.LITTLE_ENDIAN);
        out.position(list);
        int row = HEADER - KEY;
        long before = 0;
        for (int i = 0; i < entries.count(); i++) {
            if (i == 0 || entries.key(i) != entries.key(i - 1)) {
                row += KEY;
                out.putInt(row, entries.key(i)).putInt(row + 4, out.position() - list);
                before = 0;
            }
            out.putInt(row + 8, out.getInt(row + 8) + 1);
            long position = entries.position(i) >>> 2;
            put(out, (int) (position - before));
            before = position;
        }
        out.putLong(0, MAGIC).putLong(LENGTH, out.position()).putLong(SEGMENT_LENGTH, span.bytes);
        out.putLong(FIRST, span.firstNs).putLong(LAST, span.lastNs);
        return out.putInt(PACKETS, entries.count()).putInt(KEYS, keys).flip();
    }

    private static void put(ByteBuffer out, int value) {
        int rest = value;
        while (rest > SEVEN_BITS) {
            out.put((byte) (rest | MORE));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }

    /** Opens an index; null if there is none, or it is not whole. */
    static @Nullable SegmentIndex open(Path file) {
        Arena arena = Arena.ofConfined();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            SegmentIndex index = new SegmentIndex(arena, bytes);
            if (index.isWhole()) {
                return index;
            }
        } catch (IOException | UncheckedIOException _) {
            // the segment is read instead
        }
        arena.close();
        return null;
    }

    private boolean isWhole() {
        long size = bytes.byteSize();
        return size >= HEADER
                && LittleEndian.bits64(bytes, 0) == MAGIC
                && LittleEndian.bits64(bytes, LENGTH) == size
                && HEADER + keys() * KEY <= size;
    }

    private long keys() {
        return LittleEndian.u32(bytes, KEYS);
    }

    /** The time of its packets, and the bytes of its segment. */
    Span span() {
        return new Span(
                LittleEndian.bits64(bytes, SEGMENT_LENGTH),
                LittleEndian.bits64(bytes, FIRST),
                LittleEndian.bits64(bytes, LAST));
    }

    /** Finds where the packets of a folded key begin in the segment. */
    void positions(int key, LongConsumer found) {
        long low = 0;
        long high = keys();
        while (low < high) {
            long middle = low + high >>> 1;
            if ((int) LittleEndian.u32(bytes, HEADER + middle * KEY) < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        long row = HEADER + low * KEY;
        if (low < keys() && (int) LittleEndian.u32(bytes, row) == key) {
            decode(LittleEndian.u32(bytes, row + 4), LittleEndian.u32(bytes, row + 8), found);
        }
    }

    private void decode(long from, long count, LongConsumer found) {
        long at = HEADER + keys() * KEY + from;
        long size = bytes.byteSize();
        long position = 0;
        for (long i = 0; i < count && at < size; i++) { // a damaged index may say anything
            int shift = 0;
            int octet = MORE;
            while ((octet & MORE) != 0 && at < size) {
                octet = bytes.get(ValueLayout.JAVA_BYTE, at++);
                position += (long) (octet & SEVEN_BITS) << shift;
                shift += 7;
            }
            found.accept(position << 2);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
