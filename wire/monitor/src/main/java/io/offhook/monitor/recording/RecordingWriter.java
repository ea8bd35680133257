package io.offhook.monitor.recording;

import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaThread;
import io.offhook.monitor.Pause;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Records looks at the threads of a process to a file, within a limit. Each look is in the file when {@link #add} returns, so that
 * a process that is killed loses none. At the limit the file is written anew, its older parts as means, on a thread of its own,
 * which takes some seconds for 32 MB, and as much room again meanwhile.
 *
 * <p>If the disk refuses a look, it is kept in memory, and written together with the next, as one; {@link #fault} says so.
 * Not thread-safe.
 */
public final class RecordingWriter implements AutoCloseable {
    /** The least limit, in bytes. */
    public static final long LEAST_BYTES = 1 << 16;

    private static final int NS_A_US = 1000;
    /** A look's rows without anything else are left out if their time differs by less than a part of it. */
    private static final int IDLE_PART = 100;

    private static final int PART = 2000;
    /** After thinning has failed, it is tried again when the file has grown by this part of the limit. */
    private static final int AGAIN_PART = 16;

    private final Path path;
    private final long limitBytes;
    private final Map<Integer, Known> known = new HashMap<>();
    private final RecordBytes payload = new RecordBytes();
    private final RecordBytes threads = new RecordBytes();
    private final RecordBytes records = new RecordBytes();
    private final RecordBytes statePayload = new RecordBytes();
    private final StateSums states = new StateSums();
    private final WrittenDetails details = new WrittenDetails();
    private final LookMerger unwritten = new LookMerger();
    private RecordFile file;
    private long thinAt;
    private int nextIndex;
    private @Nullable IOException fault;
    private @Nullable IOException thinningFault;
    private @Nullable FutureTask<Thinning> thinning;
    private boolean isClosed;

    /** A thread that lives, as it was written last. */
    private static final class Known {
        final int index;
        String name;

        @Nullable
        String javaName;

        int processor = -1;
        char state;
        private final long[] restNs = new long[3];

        Known(int index, String name) {
            this.index = index;
            this.name = name;
        }

        /** Microseconds; what is less is carried on, so that sums are exact. */
        long us(int which, long ns) {
            long all = Math.max(0, ns) + restNs[which];
            restNs[which] = all % NS_A_US;
            return all / NS_A_US;
        }
    }

    private RecordingWriter(Path path, long limitBytes, RecordFile file) {
        this.path = path;
        this.limitBytes = limitBytes;
        this.file = file;
        thinAt = limitBytes;
    }

    /**
     * Begins a recording.
     *
     * @param path a file that is not there yet
     * @param limitBytes the most bytes of the file, at least {@link #LEAST_BYTES}
     * @throws java.nio.file.FileAlreadyExistsException if the file is there already
     */
    public static RecordingWriter create(Path path, RecordedProcess process, long limitBytes) throws IOException {
        if (limitBytes < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "limitBytes " + limitBytes + " is less than " + LEAST_BYTES + ", and holds no recording");
        }
        RecordFile file = RecordFile.create(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        RecordingWriter writer = new RecordingWriter(path, limitBytes, file);
        process.write(writer.payload);
        writer.records.record(RecordKind.PROCESS, writer.payload);
        try {
            file.append(writer.records);
        } catch (IOException e) {
            file.close();
            throw e;
        }
        return writer;
    }

    /**
     * Adds a look.
     *
     * @param atNs when it was, nanoseconds since the epoch
     * @param rows as {@link io.offhook.monitor.ThreadWatch#look} returned them
     */
    public void add(long atNs, List<ThreadRow> rows) {
        add(atNs, rows, JavaLook.NOTHING);
    }

    /** Adds a look at a JVM: names, states, pauses, locks and deadlocks are recorded, counts of virtual threads are not. */
    public void add(long atNs, List<ThreadRow> rows, JavaLook java) {
        add(RecordedLook.of(atNs, rows, java));
    }

    /** Adds a look, as it was read: {@code meanOf} is not looked at. */
    public void add(RecordedLook look) {
        List<ThreadRow> rows = look.rows();
        long spanUs = spanUs(rows);
        List<ThreadDelta> deltas = new ArrayList<>();
        for (ThreadRow row : rows) {
            inJava(row, look.java());
            ThreadDelta delta = delta(row, spanUs);
            if (!delta.isIdle()) {
                deltas.add(delta);
            }
        }
        deltas.sort((a, b) -> Integer.compare(a.index, b.index));
        for (Pause pause : look.java().pauses()) {
            payload.clear();
            RecordedPause.write(pause, payload);
            threads.record(RecordKind.PAUSE, payload);
        }
        details.add(look, this::index);
        unwritten.add(new Look(look.atNs(), spanUs, 0, 1, deltas));
        write();
        thin();
    }

    private @Nullable Integer index(int id) {
        Known thread = known.get(id);
        return thread == null ? null : thread.index;
    }

    /** Half of the threads were read after a longer time, half after a shorter one. */
    private static long spanUs(List<ThreadRow> rows) {
        long[] elapsed = rows.stream()
                .mapToLong(row -> row.last().elapsedNs())
                .filter(ns -> ns > 0)
                .sorted()
                .toArray();
        return elapsed.length == 0 ? 0 : elapsed[elapsed.length / 2] / NS_A_US;
    }

    private ThreadDelta delta(ThreadRow row, long spanUs) {
        ThreadUse use = row.last();
        Known thread = known(row, use);
        ThreadDelta delta = new ThreadDelta(thread.index);
        delta.userUs = thread.us(0, use.userNs());
        delta.systemUs = thread.us(1, use.systemNs());
        delta.waitedUs = thread.us(2, use.waitedNs());
        delta.voluntary = Math.max(0, use.voluntarySwitches());
        delta.involuntary = Math.max(0, use.involuntarySwitches());
        delta.migrations = Math.max(0, use.migrations());
        if (row.processor() != thread.processor) {
            delta.hasProcessor = true;
            delta.processor = row.processor();
            thread.processor = row.processor();
        }
        if (row.state() != thread.state) {
            delta.state = row.state();
            thread.state = row.state();
        }
        long deviationUs = use.elapsedNs() / NS_A_US - spanUs;
        if (Math.abs(deviationUs) > spanUs / (delta.isIdle() ? IDLE_PART : PART)) {
            delta.deviationUs = deviationUs;
        }
        if (row.isEnded()) {
            known.remove(row.id());
        }
        return delta;
    }

    private void inJava(ThreadRow row, JavaLook java) {
        JavaThread thread = java.threads().get(row.id());
        String other = java.otherNames().get(row.id());
        Known known = known(row, row.last());
        String name = thread == null ? other : thread.name();
        if (name != null && !name.equals(known.javaName)) {
            known.javaName = name;
            payload.clear();
            payload.number(known.index).u8(thread == null ? 0 : 1).text(name);
            threads.record(RecordKind.JAVA_NAME, payload);
        }
        if (thread != null) {
            states.add(known.index, StateRow.us(thread.last()));
        }
        if (row.isEnded()) {
            states.ends(known.index);
        }
    }

    private Known known(ThreadRow row, ThreadUse use) {
        Known thread = known.get(row.id());
        boolean isNew = thread == null;
        if (thread == null) {
            thread = new Known(nextIndex++, row.name());
            known.put(row.id(), thread);
            unwritten.begins(thread.index);
        }
        if (isNew || !thread.name.equals(row.name())) {
            thread.name = row.name();
            payload.clear();
            new RecordedThread(thread.index, row.id(), isNew, use.waitedNs() >= 0, use.migrations() >= 0, row.name())
                    .write(payload);
            threads.record(RecordKind.THREAD, payload);
        }
        return thread;
    }

    /** Writes what is unwritten, or leaves it so. */
    private void write() {
        if (file.size() >= limitBytes + limitBytes / AGAIN_PART * 2) {
            fault = thinningFault; // it could not be thinned
            return;
        }
        Look look = unwritten.take(0);
        payload.clear();
        look.write(payload);
        records.clear();
        List<StateRow> stateRows = states.rows();
        records.bytes(threads);
        if (!stateRows.isEmpty()) {
            statePayload.clear();
            StateRow.write(stateRows, statePayload);
            records.record(RecordKind.JAVA_STATES, statePayload);
        }
        try {
            details.write(records::record);
            records.record(RecordKind.LOOK, payload);
            file.append(records);
            threads.clear();
            states.written();
            details.written();
            fault = null;
        } catch (IOException e) {
            unwritten.add(look);
            details.writeAgain();
            fault = e;
        }
    }

    /** Begins to thin the file if it is full, or ends it; waits for it only if the file has grown too much meanwhile. */
    private void thin() {
        if (thinning == null) {
            if (file.size() >= thinAt) {
                thinning = Thinning.start(path, file.size(), limitBytes);
                details.writeAgain(); // what is behind must not need what becomes thinner
            }
        } else if (thinning.isDone() || file.size() >= thinAt + limitBytes / AGAIN_PART) {
            replace(thinning);
        }
    }

    private void replace(FutureTask<Thinning> task) {
        thinning = null;
        try {
            task.get().replace();
            file.close();
            file = RecordFile.open(path);
            thinAt = limitBytes;
            thinningFault = null;
        } catch (IOException e) {
            failed(e);
        } catch (ExecutionException e) {
            failed(e.getCause() instanceof IOException io ? io : new IOException(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed(new IOException("interrupted", e));
        }
    }

    private void failed(IOException e) {
        thinningFault = e;
        thinAt = file.size() + limitBytes / AGAIN_PART;
    }

    /** Why the last look is not in the file, or the file could not be thinned; null if all is well. */
    public @Nullable IOException fault() {
        return fault == null ? thinningFault : fault;
    }

    /** The bytes of the file. */
    public long sizeBytes() {
        return file.size();
    }

    /**
     * Ends the recording: packs it, and waits until the disk has it.
     *
     * @throws IOException if something of it could not be written
     */
    public void end(RecordingEnd end) throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (thinning != null) {
            replace(thinning);
        }
        try (RecordFile last = file) {
            if (!unwritten.isEmpty()) {
                write();
            }
            if (fault != null && !unwritten.isEmpty()) {
                throw fault;
            }
            payload.clear();
            payload.u8(end.number());
            records.clear();
            records.record(RecordKind.END, payload);
            last.append(records);
            last.force();
        }
        try {
            Thinning.pack(path);
        } catch (IOException e) {
            // it is whole, and only longer
        }
    }

    /** Closes the file; a recording that was not ended has no end. */
    @Override
    public void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            if (thinning != null) {
                replace(thinning);
            }
            file.close();
        }
    }
}
