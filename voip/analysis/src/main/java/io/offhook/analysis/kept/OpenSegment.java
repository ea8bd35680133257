package io.offhook.analysis.kept;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/** The segment that is being written. One thread writes; any thread may ask for {@link #entries} and {@link #span}. */
final class OpenSegment implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;
    private final SegmentInterface[] interfaces;
    private final long openedNs = System.nanoTime();
    private final IndexEntries entries = new IndexEntries();
    private long bytes;
    private long firstNs = Long.MAX_VALUE;
    private long lastNs = Long.MIN_VALUE;

    private OpenSegment(Path file, FileChannel channel, SegmentInterface[] interfaces) {
        this.file = file;
        this.channel = channel;
        this.interfaces = interfaces;
    }

    /** Creates the file, which only its owner can read. */
    static OpenSegment create(Path file, SegmentInterface[] interfaces) throws IOException {
        FileAttribute<?> ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly);
        OpenSegment segment = new OpenSegment(file, channel, interfaces);
        try {
            segment.append(ByteBuffer.wrap(SegmentFile.head(interfaces)));
            return segment;
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /**
     * Appends the packets of a block, all or none.
     *
     * @throws IOException if the disk refuses them; the segment is as it was before
     */
    void write(Block block) throws IOException {
        long before = bytes;
        append(block.bytes().asByteBuffer());
        synchronized (this) {
            for (int i = 0; i < block.count(); i++) {
                entries.add(block.key(i), before + block.offset(i));
            }
            firstNs = Math.min(firstNs, block.firstNs());
            lastNs = Math.max(lastNs, block.lastNs());
        }
    }

    private void append(ByteBuffer content) throws IOException {
        long end = bytes;
        try {
            while (content.hasRemaining()) {
                end += channel.write(content, end);
            }
        } catch (IOException e) {
            channel.truncate(bytes);
            throw e;
        }
        synchronized (this) {
            bytes = end;
        }
    }

    boolean isOf(SegmentInterface[] wanted) {
        return Arrays.equals(interfaces, wanted);
    }

    Path file() {
        return file;
    }

    /** Nanoseconds since it was opened. */
    long ageNs() {
        return System.nanoTime() - openedNs;
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized SegmentIndex.Span span() {
        return new SegmentIndex.Span(bytes, firstNs, lastNs);
    }

    synchronized int packets() {
        return entries.count();
    }

    /** Those written so far, a copy. */
    synchronized IndexEntries entries() {
        return entries.copy();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
