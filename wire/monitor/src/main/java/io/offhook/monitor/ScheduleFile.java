package io.offhook.monitor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the kernel counts of one thread's time, {@code /proc/PID/task/TID/schedstat}, for whoever reads it hundreds of times a second. */
final class ScheduleFile implements AutoCloseable {
    private final Path folder;
    private final ProcFile file;
    private String name;
    private long ranNs;
    private long waitedNs;
    private long ranMoreNs;
    private long waitedMoreNs;

    private ScheduleFile(Path folder, ProcFile file) {
        this.folder = folder;
        this.file = file;
        name = readName("?");
    }

    /** Opens the file of a thread, and reads it once; null if it has ended, the kernel does not account, or too many files are open. */
    static @Nullable ScheduleFile open(long pid, int id, ByteBuffer buffer) {
        Path folder = Path.of("/proc", Long.toString(pid), "task", Integer.toString(id));
        ProcFile file = ProcFile.open(folder.resolve("schedstat"));
        if (file == null) {
            return null;
        }
        ScheduleFile schedule = new ScheduleFile(folder, file);
        schedule.read(buffer);
        return schedule;
    }

    /**
     * Reads the counters: {@code 1284593 30291 7}, nanoseconds on a processor and in run queues, and turns.
     *
     * @param buffer for its bytes; a direct one spares a copy
     * @return false once the thread has ended
     */
    boolean read(ByteBuffer buffer) {
        if (!file.fill(buffer)) {
            return false;
        }
        long ran = ProcFile.number(buffer);
        long waited = ProcFile.number(buffer);
        ranMoreNs = ran - ranNs;
        waitedMoreNs = waited - waitedNs;
        ranNs = ran;
        waitedNs = waited;
        return true;
    }

    /** Nanoseconds on a processor, accounted between the last two readings. */
    long ranMoreNs() {
        return ranMoreNs;
    }

    /** Nanoseconds in run queues, accounted between the last two readings. */
    long waitedMoreNs() {
        return waitedMoreNs;
    }

    /** The name of the thread, of at most 15 bytes, as it was when it was read last. */
    String name() {
        return name;
    }

    /** Reads the name again: a thread is named when it runs already. */
    void readName() {
        name = readName(name);
    }

    private String readName(String otherwise) {
        try {
            return Files.readString(folder.resolve("comm"), StandardCharsets.ISO_8859_1)
                    .strip();
        } catch (IOException e) {
            return otherwise;
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
