package io.offhook.monitor;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Watches the threads of a process by /proc/PID/task: any process that this user may look at, of any language. Nothing is
 * started in it and nothing changed. Each {@link #look} reads what the kernel counts of each thread and compares it with the
 * looks before.
 *
 * <p>Files stay open between looks, three a thread. Not thread-safe.
 */
public final class ThreadWatch implements AutoCloseable {
    /** Readings of short work are noise; the mean over this time is what people can read. */
    public static final long MEAN_NS = 15_000_000_000L;

    /** The most threads that are watched; more are counted in {@link #unwatched}. */
    static final int MOST = 4096;

    /** USER_HZ, in which /proc counts ticks on each system that Java runs on: 100 a second. */
    private static final long TICK_NS = 10_000_000L;

    private static final int MOST_BYTES = 8192;

    private final Path folder;
    private final LongSupplier clockNs;
    private final ByteBuffer buffer = ByteBuffer.allocate(MOST_BYTES);
    private final Map<Integer, Watched> watched = new TreeMap<>();
    private int unwatched;
    private boolean isOver;

    /** A reading and its time. */
    private record At(long ns, TaskReading reading) {}

    /** A thread since it was first seen. */
    private static final class Watched {
        final Task task;
        final At first;
        /** The readings of the last 15 seconds, the oldest first, and one that is older. */
        final Deque<At> recent = new ArrayDeque<>();

        Watched(Task task, At first) {
            this.task = task;
            this.first = first;
            recent.add(first);
        }

        void add(At now) {
            recent.addLast(now);
            while (recent.size() > 2 && now.ns() - recent.getFirst().ns() > MEAN_NS) {
                recent.removeFirst();
            }
        }

        ThreadRow row(int id, At before, boolean isEnded) {
            At now = recent.getLast();
            return new ThreadRow(
                    id,
                    task.name(),
                    isEnded ? ThreadRow.ENDED : now.reading().state(),
                    now.reading().processor(),
                    use(before, now),
                    use(recent.getFirst(), now),
                    use(first, now));
        }

        private static ThreadUse use(At from, At to) {
            return ThreadUse.between(from.reading(), from.ns(), to.reading(), to.ns(), TICK_NS);
        }
    }

    ThreadWatch(Path folder, LongSupplier clockNs) {
        this.folder = folder;
        this.clockNs = clockNs;
    }

    /**
     * Starts to watch a process, and looks once.
     *
     * @param pid its number, in the namespace of this process
     * @throws NoProcessException if there is no such process, or it may not be looked at
     */
    public static ThreadWatch of(long pid) throws NoProcessException {
        Path process = Path.of("/proc", Long.toString(pid));
        if (!Files.isDirectory(process)) {
            throw new NoProcessException(
                    "there is no process " + pid + (Files.isDirectory(Path.of("/proc/self")) ? "" : ", nor /proc"));
        }
        ThreadWatch watch = new ThreadWatch(process.resolve("task"), System::nanoTime);
        if (watch.look().isEmpty()) {
            watch.close();
            throw new NoProcessException(
                    "process " + pid + " has no threads to be seen: it has ended, or /proc is mounted"
                            + " with hidepid and this user is another one");
        }
        return watch;
    }

    /** Reads all threads, and returns them by id: those that live, and those that have ended since the look before. */
    public List<ThreadRow> look() {
        List<ThreadRow> rows = new ArrayList<>();
        Set<Integer> there = ids();
        isOver = there.isEmpty();
        for (Iterator<Map.Entry<Integer, Watched>> all = watched.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Integer, Watched> entry = all.next();
            Watched thread = entry.getValue();
            At before = thread.recent.getLast();
            TaskReading reading = there.contains(entry.getKey()) ? thread.task.read(buffer) : null;
            if (reading == null) {
                rows.add(thread.row(entry.getKey(), before, true));
                thread.task.close();
                all.remove();
            } else {
                there.remove(entry.getKey());
                thread.add(new At(clockNs.getAsLong(), reading));
                rows.add(thread.row(entry.getKey(), before, false));
            }
        }
        begin(there, rows);
        return rows;
    }

    private void begin(Set<Integer> ids, List<ThreadRow> rows) {
        unwatched = 0;
        for (int id : ids) {
            Path of = folder.resolve(Integer.toString(id));
            Task task = watched.size() < MOST ? Task.open(of) : null;
            TaskReading reading = task == null ? null : task.read(buffer);
            if (task == null || reading == null) {
                unwatched += Files.exists(of) ? 1 : 0; // or it has ended in this moment
                continue;
            }
            Watched thread = new Watched(task, new At(clockNs.getAsLong(), reading));
            watched.put(id, thread);
            rows.add(thread.row(id, thread.first, false));
        }
        rows.sort((a, b) -> Integer.compare(a.id(), b.id()));
    }

    private Set<Integer> ids() {
        Set<Integer> ids = new HashSet<>();
        String[] tasks = folder.toFile().list();
        if (tasks != null) { // null: the process has ended
            for (String task : tasks) {
                ids.add(Integer.valueOf(task));
            }
        }
        return ids;
    }

    /** Whether the process had ended at the last look. */
    public boolean isOver() {
        return isOver;
    }

    /** Threads that were there at the last look and are not watched: there are more than 4,096, or this process may not open so many files. */
    public int unwatched() {
        return unwatched;
    }

    /** Closes the files. */
    @Override
    public void close() {
        watched.values().forEach(thread -> thread.task.close());
        watched.clear();
    }
}
