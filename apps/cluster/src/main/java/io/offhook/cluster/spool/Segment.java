package io.offhook.cluster.spool;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file of events: 8 octets that say what it is, the position of its first event in 64 bits, least significant octets first,
 * and the events as {@link EventRecord} has them. Its name is that position, so that names are in order.
 */
final class Segment {
    /** Octets before the first event. */
    static final int HEAD = 16;

    private static final long MAGIC = 0x0a31_4c50_5346_464fL; // "OFFSPL1\n"
    private static final Pattern NAME = Pattern.compile("([0-9a-f]{16})\\.spool");

    private final Path file;
    private final long firstPosition;
    private long end;
    /** No channel, which an interrupted thread would close for all others. */
    private @Nullable RandomAccessFile out;
    /** Ranges of all that was appended by this process; null if events of earlier ones are in it. */
    private @Nullable LossList ranges;

    private Segment(Path file, long firstPosition, long end) {
        this.file = file;
        this.firstPosition = firstPosition;
        this.end = end;
    }

    /** The position that the name of a file says; -1 if it is no segment. */
    static long position(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Long.parseUnsignedLong(name.group(1), 16) : -1;
    }

    /** A segment that is there. */
    static Segment existing(Path file) throws IOException {
        return new Segment(file, position(file), Files.size(file));
    }

    /** A new one, to which events can be appended. */
    static Segment create(Path folder, long firstPosition) throws IOException {
        Path file = folder.resolve(String.format(Locale.ROOT, "%016x.spool", firstPosition));
        Segment segment = new Segment(file, firstPosition, 0);
        RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw");
        segment.out = out;
        // what a writer left that could not even write the head
        out.setLength(0);
        segment.ranges = new LossList();
        ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
        if (!segment.write(head.putLong(MAGIC).putLong(firstPosition).array())) {
            segment.delete();
            throw new IOException("no space for " + file);
        }
        return segment;
    }

    /** Whether its head is whole, and its own. */
    boolean hasHead() throws IOException {
        byte[] octets;
        try (InputStream in = Files.newInputStream(file)) {
            octets = in.readNBytes(HEAD);
        }
        ByteBuffer head = ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN);
        return octets.length == HEAD && head.getLong(0) == MAGIC && head.getLong(8) == firstPosition;
    }

    /** Appends an event: all of it, or nothing. */
    boolean append(SpooledEvent event) {
        if (!write(EventRecord.write(event))) {
            return false;
        }
        if (ranges != null) {
            ranges.add(LossList.of(SpoolLoss.Cause.LIMIT, event));
        }
        return true;
    }

    private boolean write(byte[] octets) {
        RandomAccessFile to = out;
        if (to == null) {
            return false;
        }
        try {
            to.seek(end);
            to.write(octets);
            end += octets.length;
            return true;
        } catch (IOException e) {
            try {
                to.setLength(end);
            } catch (IOException stays) {
                // what stays there is no whole event, and nothing may come behind it
                seal();
            }
            return false;
        }
    }

    /** Cuts what is behind an offset. */
    void cut(long offset) throws IOException {
        try (RandomAccessFile behind = new RandomAccessFile(file.toFile(), "rw")) {
            behind.setLength(offset);
        }
        end = offset;
    }

    /** Nothing more is appended. */
    void seal() {
        RandomAccessFile open = out;
        out = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // nothing was buffered
            }
        }
    }

    boolean isSealed() {
        return out == null;
    }

    /** Whether the file is gone. */
    boolean delete() {
        seal();
        try {
            Files.deleteIfExists(file);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    Path file() {
        return file;
    }

    long firstPosition() {
        return firstPosition;
    }

    /** Where its last event ends. */
    long end() {
        return end;
    }

    /** Ranges of its events, as if all were lost at the limit; null if they have to be read. */
    @Nullable
    LossList ranges() {
        return ranges;
    }
}
