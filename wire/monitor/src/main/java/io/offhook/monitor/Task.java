package io.offhook.monitor;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The files of one thread in /proc. */
final class Task implements AutoCloseable {
    /** Indexes of fields of stat behind the name, the first of which is field 3 (proc(5)). */
    private static final int STATE = 0;

    private static final int USER = 14 - 3;
    private static final int SYSTEM = 15 - 3;
    private static final int PROCESSOR = 39 - 3;
    private static final int FIELDS = PROCESSOR + 1;

    private static final int RAN = 0;
    private static final int WAITED = 1;
    private static final int TURNS = 2;

    private final ProcFile stat;
    private final @Nullable ProcFile schedstat;
    /** Has switches and migrations; where the kernel has no such file, status has the switches. */
    private final @Nullable ProcFile sched;

    private final @Nullable ProcFile status;
    private String name = "";
    private long @Nullable [] times;
    private @Nullable TaskReading last;

    private Task(Path folder, ProcFile stat) {
        this.stat = stat;
        schedstat = ProcFile.open(folder.resolve("schedstat"));
        sched = ProcFile.open(folder.resolve("sched"));
        status = sched == null ? ProcFile.open(folder.resolve("status")) : null;
    }

    /** Opens the files of a thread; null if it has ended, or this process has too many files open. */
    static @Nullable Task open(Path folder) {
        ProcFile stat = ProcFile.open(folder.resolve("stat"));
        return stat == null ? null : new Task(folder, stat);
    }

    /** Its name, of at most 15 bytes, as it was when it was read last. */
    String name() {
        return name;
    }

    /**
     * Reads it; null once it has ended. Of a thread that has not run since it was read last, only its state can have changed:
     * most threads sleep, and sched alone takes the kernel longer than the other files together.
     */
    @Nullable
    TaskReading read(ByteBuffer buffer) {
        long[] before = times;
        long[] now = schedstat == null ? null : times(schedstat, buffer);
        times = now;
        TaskReading known = last;
        last = known != null && now != null && Arrays.equals(before, now)
                ? withState(known, buffer)
                : readAll(now, buffer);
        return last;
    }

    private @Nullable TaskReading withState(TaskReading known, ByteBuffer buffer) {
        if (!stat.fill(buffer)) {
            return null;
        }
        int name = buffer.limit() - 1;
        while (name >= 0 && buffer.get(name) != ')') {
            name--;
        }
        int state = name + 2;
        return name < 0 || state >= buffer.limit() ? null : known.in((char) buffer.get(state));
    }

    private @Nullable TaskReading readAll(long @Nullable [] times, ByteBuffer buffer) {
        String text = stat.read(buffer);
        String[] fields = fields(text);
        if (text == null || fields == null) {
            return null;
        }
        name = text.substring(text.indexOf('(') + 1, text.lastIndexOf(')'));
        String counters = sched == null ? "" : orEmpty(sched.read(buffer));
        String switches = status == null ? "" : orEmpty(status.read(buffer));
        boolean isSched = sched != null;
        return new TaskReading(
                fields[STATE].charAt(0),
                Integer.parseInt(fields[PROCESSOR]),
                Long.parseLong(fields[USER]),
                Long.parseLong(fields[SYSTEM]),
                times == null ? -1 : times[RAN],
                times == null ? -1 : times[WAITED],
                isSched ? number(counters, "\nnr_voluntary_switches") : number(switches, "\nvoluntary_ctxt_switches"),
                isSched
                        ? number(counters, "\nnr_involuntary_switches")
                        : number(switches, "\nnonvoluntary_ctxt_switches"),
                isSched ? number(counters, "\nse.nr_migrations") : -1);
    }

    /** The fields behind the name, which may have spaces and brackets. */
    private static String @Nullable [] fields(@Nullable String stat) {
        if (stat == null) {
            return null;
        }
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
        return fields.length < FIELDS ? null : fields;
    }

    /** Nanoseconds on a processor and in run queues, and turns; null once it has ended, or where the kernel does not account them. */
    private static long @Nullable [] times(ProcFile schedstat, ByteBuffer buffer) {
        if (!schedstat.fill(buffer)) {
            return null;
        }
        long[] times = {ProcFile.number(buffer), ProcFile.number(buffer), ProcFile.number(buffer)};
        return times[TURNS] == 0 ? null : times; // 0 0 0 also of a thread that has not run yet
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** The number behind a name at the beginning of a line, spaces and a colon; 0 without it. */
    private static long number(String text, String name) {
        int begin = text.indexOf(name);
        int colon = begin < 0 ? -1 : text.indexOf(':', begin);
        if (colon < 0) {
            return 0;
        }
        int end = text.indexOf('\n', colon);
        return Long.parseLong(
                text.substring(colon + 1, end < 0 ? text.length() : end).strip());
    }

    @Override
    public void close() {
        stat.close();
        for (ProcFile file : new ProcFile[] {schedstat, sched, status}) {
            if (file != null) {
                file.close();
            }
        }
    }
}
