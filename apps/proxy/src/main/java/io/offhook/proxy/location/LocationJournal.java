package io.offhook.proxy.location;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Snapshot and journal of bindings in a directory.
 *
 * <pre>
 * location-00000007.snapshot   everything, as it was when journal 7 was begun, or later
 * location-00000007.journal    each change after that; appended to
 * location-00000008.journal    the changes since snapshot 8 was begun, which is not finished yet
 * </pre>
 *
 * Both hold {@link LocationRecord}s behind a line that names their format. To begin again, a new journal is opened, a new
 * snapshot is written beside and renamed into its place, and only then the older files go; at whatever moment the process
 * ends, the newest snapshot and the journals from its number on say everything. Used by one thread, but for
 * {@link #writeSnapshot}, which may run beside.
 */
final class LocationJournal implements AutoCloseable {
    private static final byte[] FORMAT = "offhook location 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern NAME = Pattern.compile("location-([0-9]{8})\\.(snapshot|journal)");
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final Path directory;
    private final FileChannel lockFile;
    private FileChannel journal;
    private long number;
    /** The end of the last record that was written as a whole. */
    private long end;
    /** Whether there may be half a record behind the end. */
    private boolean isTorn;

    private LocationJournal(Path directory, FileChannel lockFile, FileChannel journal, long number, long end) {
        this.directory = directory;
        this.lockFile = lockFile;
        this.journal = journal;
        this.number = number;
        this.end = end;
    }

    /** A journal, and how many records it had, and bytes at its end that were none. */
    record Opened(LocationJournal journal, long records, long cutBytes) {}

    /**
     * Reads the directory, which is created if it is absent, and goes on with its last journal.
     *
     * @param nowMs bindings that expired before are passed over
     * @param visitor receives records in order; of one address of record the last counts
     * @throws IOException if it cannot be read or written, is used by another process, or is of another version
     */
    static Opened open(Path directory, long nowMs, BiConsumer<AddressOfRecord, List<Binding>> visitor)
            throws IOException {
        createDirectory(directory);
        FileChannel lockFile = openFile(directory.resolve("location.lock"));
        try {
            lock(directory, lockFile);
            return open(directory, lockFile, nowMs, visitor);
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    private static void createDirectory(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            FileAttribute<?>[] attributes = isPosix(directory)
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                    }
                    : new FileAttribute<?>[0];
            Files.createDirectories(directory, attributes);
        }
    }

    private static void lock(Path directory, FileChannel lockFile) throws IOException {
        FileLock lock;
        try {
            lock = lockFile.tryLock();
        } catch (OverlappingFileLockException e) { // held by this process
            throw new IOException(directory + " is used by another store of this process", e);
        }
        if (lock == null) {
            throw new IOException(directory + " is used by another process; give each proxy a directory of its own");
        }
    }

    private static Opened open(
            Path directory, FileChannel lockFile, long nowMs, BiConsumer<AddressOfRecord, List<Binding>> visitor)
            throws IOException {
        TreeMap<Long, Path> snapshots = new TreeMap<>();
        TreeMap<Long, Path> journals = new TreeMap<>();
        list(directory, snapshots, journals);
        long first = snapshots.isEmpty() ? 0 : snapshots.lastKey();
        Replay replay = new Replay(nowMs, visitor);
        if (!snapshots.isEmpty()) {
            replay.read(snapshots.lastEntry().getValue());
            if (replay.cutBytes > 0) {
                throw new IOException(snapshots.lastEntry().getValue() + " is damaged behind byte " + replay.end
                        + ": restore it, or move it away to start without what it held");
            }
        }
        for (Path file : journals.tailMap(first, true).values()) {
            replay.read(file);
        }
        removeOlder(directory, first);
        long number = journals.isEmpty() ? Math.max(first, 1) : Math.max(journals.lastKey(), Math.max(first, 1));
        FileChannel journal = openFile(file(directory, number, "journal"));
        long end = journals.containsKey(number) ? replay.end : 0;
        journal.truncate(end).position(end);
        LocationJournal opened = new LocationJournal(directory, lockFile, journal, number, end);
        if (end == 0) {
            opened.write(ByteBuffer.wrap(FORMAT));
            opened.sync();
            syncDirectory(directory);
        }
        return new Opened(opened, replay.records, replay.cutBytes);
    }

    private static void list(Path directory, Map<Long, Path> snapshots, Map<Long, Path> journals) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    (name.group(2).equals("snapshot") ? snapshots : journals).put(Long.parseLong(name.group(1)), file);
                }
            }
        }
    }

    /** Reads files, and where their last whole record ends. */
    private static final class Replay {
        final long nowMs;
        final BiConsumer<AddressOfRecord, List<Binding>> visitor;
        long records;
        long cutBytes;
        long end;

        Replay(long nowMs, BiConsumer<AddressOfRecord, List<Binding>> visitor) {
            this.nowMs = nowMs;
            this.visitor = visitor;
        }

        void read(Path file) throws IOException {
            long size = Files.size(file);
            end = 0;
            try (DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
                byte[] format = in.readNBytes(FORMAT.length);
                if (!Arrays.equals(format, FORMAT)) {
                    // a file that ends here was just being created
                    boolean isBegun = Arrays.equals(format, 0, format.length, FORMAT, 0, format.length);
                    if (!isBegun) {
                        throw new IOException(file + " does not begin with \"offhook location 1\": it is damaged or of"
                                + " another version; move it away to start without it");
                    }
                    cutBytes += size;
                    return;
                }
                end = FORMAT.length;
                LocationRecord record = LocationRecord.read(in);
                while (record != null) {
                    visit(record);
                    record = LocationRecord.read(in);
                }
            }
            cutBytes += size - end;
        }

        private void visit(LocationRecord record) {
            List<Binding> lasting = record.bindings().stream()
                    .filter(binding -> binding.expiresAtMs() > nowMs)
                    .toList();
            visitor.accept(record.addressOfRecord(), lasting);
            records++;
            end += record.bytes();
        }
    }

    /**
     * Appends records. When it returns, they survive the end of this process.
     *
     * @param records from position to limit, whole records
     * @throws IOException if they could not be written as a whole; then none of them is kept
     */
    void append(ByteBuffer records) throws IOException {
        if (isTorn) {
            cut();
        }
        try {
            write(records);
        } catch (IOException e) {
            // half a record would hide what is appended later
            isTorn = true;
            try {
                cut();
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        while (bytes.hasRemaining()) {
            journal.write(bytes);
        }
        end += length;
    }

    private void cut() throws IOException {
        journal.truncate(end).position(end);
        isTorn = false;
    }

    /** Forces what was appended to the disk. */
    void sync() throws IOException {
        journal.force(false);
    }

    /**
     * Begins another journal.
     *
     * @return its number, which is that of the snapshot that may be written now
     */
    long rotate() throws IOException {
        FileChannel next = openFile(file(directory, number + 1, "journal"));
        try {
            next.truncate(0);
            next.write(ByteBuffer.wrap(FORMAT));
            next.force(false);
            journal.force(false);
        } catch (IOException e) {
            next.close();
            Files.deleteIfExists(file(directory, number + 1, "journal"));
            throw e;
        }
        journal.close();
        syncDirectory(directory);
        journal = next;
        number++;
        end = FORMAT.length;
        isTorn = false;
        return number;
    }

    /**
     * Writes a snapshot and removes what it replaces. May be called by another thread.
     *
     * @param snapshot the number that {@link #rotate} returned
     * @return its size in bytes
     */
    static long writeSnapshot(Path directory, long snapshot, LocationTable table) throws IOException {
        Path temporary = directory.resolve("location.snapshot.new");
        Files.deleteIfExists(temporary);
        long size;
        try (FileChannel channel = openFile(temporary);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
            out.write(FORMAT);
            table.forEach((addressOfRecord, bindings) -> {
                try {
                    out.write(LocationRecord.encode(addressOfRecord, bindings).array());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            out.flush();
            channel.force(false);
            size = channel.size();
        } catch (UncheckedIOException e) {
            Files.deleteIfExists(temporary);
            throw new IOException(e.getCause());
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
        Files.move(temporary, file(directory, snapshot, "snapshot"), StandardCopyOption.ATOMIC_MOVE);
        syncDirectory(directory);
        removeOlder(directory, snapshot);
        return size;
    }

    private static void removeOlder(Path directory, long number) throws IOException {
        TreeMap<Long, Path> snapshots = new TreeMap<>();
        TreeMap<Long, Path> journals = new TreeMap<>();
        list(directory, snapshots, journals);
        for (Path file : snapshots.headMap(number).values()) {
            Files.deleteIfExists(file);
        }
        for (Path file : journals.headMap(number).values()) {
            Files.deleteIfExists(file);
        }
    }

    /** The size of the journal that is appended to. */
    long bytes() {
        return end;
    }

    private static Path file(Path directory, long number, String kind) {
        return directory.resolve("location-%08d.%s".formatted(number, kind));
    }

    /** Makes the names of files survive a power failure. */
    private static void syncDirectory(Path directory) throws IOException {
        if (isPosix(directory)) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileChannel openFile(Path file) throws IOException {
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ);
        return isPosix(file)
                ? FileChannel.open(file, options, PosixFilePermissions.asFileAttribute(OWNER_ONLY))
                : FileChannel.open(file, options);
    }

    @Override
    public void close() throws IOException {
        FileChannel last = journal;
        try (lockFile;
                last) {
            last.force(false);
        }
    }
}
