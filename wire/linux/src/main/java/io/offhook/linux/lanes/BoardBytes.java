package io.offhook.linux.lanes;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A board as it was read: copies of its bytes, of which every number is checked before it is used. The file is read, not mapped: its
 * owner may shorten it at any moment, which ends a process that has it mapped.
 */
final class BoardBytes {
    /** More is not read: a board of this version has 16,512 bytes. */
    private static final int MOST_BYTES = 1 << 20;

    /** A record is whole if its sequence was the same before, in and after a copy. */
    private static final int COPIES = 3;

    private static final int ATTEMPTS = 5;

    private final MemorySegment bytes;

    private BoardBytes(MemorySegment bytes) {
        this.bytes = bytes;
    }

    /**
     * Reads a board.
     *
     * @param owner the user to whom it must belong
     * @return null if there is none, or what is there is none: a link, the file of another user, of another version, or cut off
     */
    static @Nullable BoardBytes read(Path file, int owner) {
        List<MemorySegment> copies = new ArrayList<>();
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || LaneFolders.owner(file) != owner) {
                return null;
            }
            try (FileChannel channel =
                    FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
                for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                    for (copies.clear(); copies.size() < COPIES; ) {
                        MemorySegment copy = copy(channel);
                        if (copy == null) {
                            return null;
                        }
                        copies.add(copy);
                    }
                    if (areWhole(copies)) {
                        break;
                    }
                }
            }
        } catch (IOException e) {
            return null;
        }
        return new BoardBytes(copies.get(1)); // a record that was written all the time is of two moments
    }

    private static @Nullable MemorySegment copy(FileChannel channel) throws IOException {
        long size = channel.size();
        if (size < LaneLayout.HEADER_BYTES || size > MOST_BYTES) {
            return null;
        }
        MemorySegment copy = Arena.ofAuto().allocate(size, Long.BYTES);
        ByteBuffer buffer = copy.asByteBuffer();
        int length = 0;
        while (length >= 0 && buffer.hasRemaining()) {
            length = channel.read(buffer, buffer.position()); // what is missing by then is 0
        }
        return isBoard(copy) ? copy : null;
    }

    private static boolean isBoard(MemorySegment copy) {
        int header = copy.get(LaneLayout.INT, LaneLayout.HEADER_LENGTH_AT);
        int record = copy.get(LaneLayout.INT, LaneLayout.RECORD_LENGTH_AT);
        int records = copy.get(LaneLayout.INT, LaneLayout.RECORDS_AT);
        return copy.get(LaneLayout.LONG, 0) == LaneLayout.MAGIC
                && copy.get(LaneLayout.INT, LaneLayout.VERSION_AT) == LaneLayout.VERSION
                && isLength(header, LaneLayout.HEADER_BYTES)
                && isLength(record, LaneLayout.RECORD_BYTES)
                && records >= 0
                && header + (long) record * records <= copy.byteSize();
    }

    private static boolean isLength(int length, int least) {
        return length >= least && length <= LaneLayout.MOST_BYTES_OF_ONE && length % Long.BYTES == 0;
    }

    private static boolean areWhole(List<MemorySegment> copies) {
        MemorySegment first = copies.getFirst();
        int length = first.get(LaneLayout.INT, LaneLayout.RECORD_LENGTH_AT);
        int records = first.get(LaneLayout.INT, LaneLayout.RECORDS_AT);
        for (MemorySegment other : copies) {
            if (other.byteSize() != first.byteSize()
                    || other.get(LaneLayout.INT, LaneLayout.RECORD_LENGTH_AT) != length
                    || other.get(LaneLayout.INT, LaneLayout.RECORDS_AT) != records) {
                return false;
            }
        }
        for (int i = 0; i < records; i++) {
            long at = first.get(LaneLayout.INT, LaneLayout.HEADER_LENGTH_AT) + (long) i * length;
            long sequence = first.get(LaneLayout.LONG, at);
            if ((sequence & 1) != 0) {
                return false;
            }
            for (MemorySegment other : copies) {
                if (other.get(LaneLayout.LONG, at) != sequence) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The number of its process, in the namespace of that. */
    long process() {
        return bytes.get(LaneLayout.LONG, LaneLayout.PROCESS_AT);
    }

    /** The namespace of the process. */
    long namespace() {
        return bytes.get(LaneLayout.LONG, LaneLayout.NAMESPACE_AT);
    }

    /** Whether it is the board of this process, and not of one that had its number before. */
    boolean isOf(@Nullable ProcessIdentity there) {
        return there != null
                && there.process() == process()
                && there.startTicks() == bytes.get(LaneLayout.LONG, LaneLayout.START_AT);
    }

    /** The command that published it. */
    String command() {
        return LaneLayout.text(bytes, LaneLayout.COMMAND_AT);
    }

    /** Lanes that have no record. */
    long unpublished() {
        return Math.max(0, bytes.get(LaneLayout.LONG, LaneLayout.UNPUBLISHED_AT));
    }

    /**
     * The lanes, in the order in which they began.
     *
     * @param nowNs when they were read, by {@link System#nanoTime}
     */
    List<LaneReport> lanes(long nowNs) {
        int header = bytes.get(LaneLayout.INT, LaneLayout.HEADER_LENGTH_AT);
        int length = bytes.get(LaneLayout.INT, LaneLayout.RECORD_LENGTH_AT);
        int records = bytes.get(LaneLayout.INT, LaneLayout.RECORDS_AT);
        List<LaneReport> lanes = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            MemorySegment record = bytes.asSlice(header + (long) i * length, length);
            int state = record.get(LaneLayout.INT, LaneLayout.STATE_AT);
            if (state > LaneLayout.FREE && state <= LaneLayout.ENDED) {
                lanes.add(LaneReport.of(record, state, nowNs));
            }
        }
        return lanes;
    }
}
