package io.offhook.analysis.kept;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The segments in a folder, oldest first. Thread-safe. Locked, so that one process uses it at a time. */
final class SegmentFolder implements AutoCloseable {
    private static final String LOCK = "lock";

    private final Path folder;
    private final FileChannel lockFile;
    private final Deque<Segment> segments = new ArrayDeque<>();
    private long nextNumber = 1;
    private long storedBytes;
    private long deletedNs = Long.MIN_VALUE;

    private SegmentFolder(Path folder, FileChannel lockFile) {
        this.folder = folder;
        this.lockFile = lockFile;
    }

    /**
     * Opens a folder, and repairs the segments in it that a killed process left.
     *
     * @throws IOException if that is not possible, or another process has it open
     */
    static SegmentFolder open(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        FileChannel lockFile = lock(folder);
        SegmentFolder opened = new SegmentFolder(folder, lockFile);
        try {
            opened.load();
            return opened;
        } catch (IOException | UncheckedIOException e) {
            lockFile.close();
            throw e;
        }
    }

    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        @Nullable FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException _) {
            // by this process
        }
        if (lock == null) {
            channel.close();
            throw new IOException(folder + " is used by another process that keeps packets");
        }
        return channel;
    }

    private synchronized void load() throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.filter(file -> Segment.number(file) >= 0).sorted().toList();
        }
        for (Path file : files) {
            Segment segment = load(file);
            if (segment != null) {
                segments.add(segment);
                storedBytes += segment.storedBytes();
            }
            nextNumber = Segment.number(file) + 1;
        }
    }

    private static @Nullable Segment load(Path file) throws IOException {
        try (SegmentIndex index = SegmentIndex.open(Segment.index(file))) {
            if (index != null && index.span().bytes() == Files.size(file)) {
                return new Segment(file, index.span(), Files.size(Segment.index(file)));
            }
        }
        return SegmentRepair.repair(file);
    }

    /** Names the next segment. */
    synchronized Path next() {
        return Segment.name(folder, nextNumber++);
    }

    synchronized void add(Segment segment) {
        segments.add(segment);
        storedBytes += segment.storedBytes();
    }

    /**
     * Deletes the oldest segments.
     *
     * @param mostBytes that may be left
     * @param oldestNs those whose last packet is earlier are deleted in any case
     */
    synchronized void limit(long mostBytes, long oldestNs) throws IOException {
        for (Segment oldest = segments.peek();
                oldest != null && (storedBytes > mostBytes || oldest.span().lastNs() < oldestNs);
                oldest = segments.peek()) {
            oldest.delete();
            segments.remove();
            storedBytes -= oldest.storedBytes();
            deletedNs = Math.max(deletedNs, oldest.span().lastNs());
        }
    }

    /** Time of the latest packet that was deleted since this was opened; {@link Long#MIN_VALUE} if none was. */
    synchronized long deletedNs() {
        return deletedNs;
    }

    synchronized int count() {
        return segments.size();
    }

    synchronized long storedBytes() {
        return storedBytes;
    }

    /** Those that are there now; some may be deleted meanwhile. */
    synchronized List<Segment> segments() {
        return new ArrayList<>(segments);
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
