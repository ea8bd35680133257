package io.offhook.linux.lanes;

import io.offhook.linux.TaskStatus;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A file in memory in which the lanes of this process publish what they do, until it is closed. It is in a folder that only this user
 * can open ({@code $XDG_RUNTIME_DIR/offhook}; of root {@code /run/offhook}; else {@code /dev/shm/offhook-USER}), 17 KB long, and
 * named by the process. Where there is no such folder nothing is published, and nothing else changes. Thread-safe.
 */
public final class LaneBoard implements AutoCloseable {
    static final String SUFFIX = ".lanes";
    private static final Path SELF = Path.of("/proc/self");
    /** Each has another name. */
    private static final int ATTEMPTS = 3;

    private static final AtomicInteger BOARDS = new AtomicInteger();

    private final Path file;
    private final MemorySegment memory;
    private int lanes;
    private boolean isClosed;

    private LaneBoard(Path file, MemorySegment memory) {
        this.file = file;
        this.memory = memory;
    }

    /**
     * Publishes a board, and removes those that processes of this user left behind.
     *
     * @param command by which readers find it, such as {@code calls}
     * @param account the user that this process became; null if it became none
     * @return null if there is no folder in memory for it
     */
    public static @Nullable LaneBoard open(String command, @Nullable String account) {
        List<Path> folders = account == null
                ? LaneFolders.of(System.getenv(), System.getProperty("user.name"))
                : LaneFolders.of(Map.of(), account);
        return open(command, folders);
    }

    static @Nullable LaneBoard open(String command, List<Path> folders) {
        ProcessIdentity self = ProcessIdentity.of(SELF);
        if (self == null) {
            return null; // no /proc: not Linux
        }
        for (Path folder : folders) {
            if (LaneFolders.prepare(folder, self.user())) {
                sweep(folder, self);
                LaneBoard board = null;
                for (int i = 0; i < ATTEMPTS && board == null; i++) {
                    board = create(folder, self, command);
                }
                if (board != null) {
                    return board;
                }
            }
        }
        return null;
    }

    private static @Nullable LaneBoard create(Path folder, ProcessIdentity self, String command) {
        Path file = folder.resolve(self.process() + "." + BOARDS.incrementAndGet() + SUFFIX);
        MemorySegment first = Arena.ofAuto().allocate(LaneLayout.BOARD_BYTES, Long.BYTES);
        first.set(LaneLayout.INT, LaneLayout.VERSION_AT, LaneLayout.VERSION);
        first.set(LaneLayout.INT, LaneLayout.HEADER_LENGTH_AT, LaneLayout.HEADER_BYTES);
        first.set(LaneLayout.INT, LaneLayout.RECORD_LENGTH_AT, LaneLayout.RECORD_BYTES);
        first.set(LaneLayout.INT, LaneLayout.RECORDS_AT, LaneLayout.MOST_LANES);
        first.set(LaneLayout.LONG, LaneLayout.PROCESS_AT, self.process());
        first.set(LaneLayout.LONG, LaneLayout.START_AT, self.startTicks());
        first.set(LaneLayout.LONG, LaneLayout.NAMESPACE_AT, self.namespace());
        LaneLayout.text(first, LaneLayout.COMMAND_AT, command);
        try (FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            // written before it is mapped: of a full file system that is an exception, of mapped memory a signal
            ByteBuffer bytes = first.asByteBuffer();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            // unmapped once no lane has a meter of it: a lane may outlive the command that began it
            MemorySegment memory =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, LaneLayout.BOARD_BYTES, Arena.ofAuto());
            memory.set(LaneLayout.LONG, 0, LaneLayout.MAGIC);
            return new LaneBoard(file, memory);
        } catch (FileAlreadyExistsException e) {
            return null; // of a process with this number in another namespace: it is not ours to remove
        } catch (IOException e) {
            delete(file);
            return null;
        }
    }

    /** Removes the boards of processes that have ended. Those of another namespace cannot be judged, and stay. */
    private static void sweep(Path folder, ProcessIdentity self) {
        for (Path file : LaneFolders.listed(folder, "*" + SUFFIX)) {
            BoardBytes bytes = BoardBytes.read(file, self.user());
            boolean isLeft = bytes == null
                    ? !isNamedByLiving(file)
                    : bytes.namespace() == self.namespace()
                            && !bytes.isOf(ProcessIdentity.of(processFolder(bytes.process())));
            if (isLeft) {
                delete(file);
            }
        }
    }

    /** One that cannot be read may be in the making. */
    private static boolean isNamedByLiving(Path file) {
        String name = file.getFileName().toString();
        return Files.exists(processFolder(name.substring(0, name.indexOf('.'))));
    }

    private static Path processFolder(Object process) {
        return Path.of("/proc", process.toString());
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // readers know that its process has ended
        }
    }

    /**
     * Gives the calling thread a record, and makes its meter that of the thread.
     *
     * @param name what it is called
     * @param pinnedTo the processor that it is pinned to; -1 if it may run anywhere
     * @return null if all 64 records are taken: the lane is only counted
     */
    public @Nullable LaneMeter lane(String name, int pinnedTo) {
        MemorySegment record = take();
        if (record == null) {
            return null;
        }
        LaneMeter meter = new LaneMeter(record, name, TaskStatus.currentId(), pinnedTo, System.nanoTime());
        meter.works(System.nanoTime());
        meter.bind();
        return meter;
    }

    private synchronized @Nullable MemorySegment take() {
        if (lanes == LaneLayout.MOST_LANES) {
            memory.set(
                    LaneLayout.LONG,
                    LaneLayout.UNPUBLISHED_AT,
                    memory.get(LaneLayout.LONG, LaneLayout.UNPUBLISHED_AT) + 1);
            return null;
        }
        long at = LaneLayout.HEADER_BYTES + (long) lanes++ * LaneLayout.RECORD_BYTES;
        return memory.asSlice(at, LaneLayout.RECORD_BYTES);
    }

    /** The file; for tests. */
    Path file() {
        return file;
    }

    /** Removes the file. Lanes that still run write to memory that nobody can find. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            delete(file);
        }
    }

    @Override
    public String toString() {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? file.toString() : file + " (removed)";
    }
}
