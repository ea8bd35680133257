package io.offhook.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a database to what its settings say, on a thread of its own: once a minute it looks for days that are to be moved to
 * files, or deleted. Beside a {@link CallWriter}, which may be delayed for as long as rows of the same calls are moved.
 */
public final class Retention implements AutoCloseable {
    private static final long PAUSE_MS = TimeUnit.MINUTES.toMillis(1);

    private final CallStore store;
    private final RetentionSettings settings;
    private final Consumer<String> problems;
    private final LongSupplier nowNs;
    private final Thread thread;
    private final Object pause = new Object();
    private final List<Path> deletable = new ArrayList<>();
    private @Nullable LocalDate lookedForLateOn;
    private @Nullable String lastProblem;
    private boolean isClosed;

    private Retention(CallStore store, RetentionSettings settings, Consumer<String> problems, LongSupplier nowNs) {
        this.store = store;
        this.settings = settings;
        this.problems = problems;
        this.nowNs = nowNs;
        thread = Thread.ofPlatform().daemon().name("offhook-retention").unstarted(this::run);
    }

    /**
     * Starts it.
     *
     * @param store open to write, in a file, until after this is closed
     * @param problems what did not work, in words, once until it works again; it is tried again each minute
     */
    public static Retention start(CallStore store, RetentionSettings settings, Consumer<String> problems) {
        Retention retention =
                of(store, settings, problems, () -> TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
        retention.thread.start();
        return retention;
    }

    /** One whose {@link #round} is called by a test. */
    static Retention of(CallStore store, RetentionSettings settings, Consumer<String> problems, LongSupplier nowNs) {
        if (store.archive() == null) {
            throw new IllegalArgumentException("a database in memory has no files");
        }
        return new Retention(store, settings, problems, nowNs);
    }

    private void run() {
        while (true) {
            synchronized (pause) {
                if (isClosed) {
                    return;
                }
            }
            try {
                round(step -> {});
                lastProblem = null;
            } catch (SQLException | IOException | RuntimeException e) {
                report(String.valueOf(e.getMessage()));
            }
            synchronized (pause) {
                try {
                    if (!isClosed) {
                        pause.wait(PAUSE_MS);
                    }
                } catch (InterruptedException _) {
                    return; // nobody interrupts this thread but the end of the process
                }
            }
        }
    }

    private void report(String problem) {
        if (!problem.equals(lastProblem)) {
            lastProblem = problem;
            problems.accept(problem);
        }
    }

    /**
     * Does what is due.
     *
     * @throws SQLException if a part was not done, and is to be done by the next round
     */
    void round(Consumer<RetentionStep> steps) throws SQLException, IOException {
        Archive archive = store.archive();
        if (archive == null) {
            return;
        }
        long now = nowNs.getAsLong();
        try (Connection connection = store.reader()) {
            deleteUnlisted(archive, steps);
            ArchiveExpiry expiry = new ArchiveExpiry(connection, archive, steps);
            deletable.addAll(expiry.byAge(settings, now));
            if (settings.tables() != null) {
                LocalDate until = Partition.dayOf(now - settings.tables().toNanos());
                move(connection, archive, until, Partition.dayOf(now), steps);
            }
            deletable.addAll(expiry.bySize(settings.bytes(), databaseBytes()));
        }
    }

    private void move(
            Connection connection, Archive archive, LocalDate until, LocalDate today, Consumer<RetentionStep> steps)
            throws SQLException, IOException {
        MoveQueue queue = new MoveQueue(connection, archive, until);
        boolean isLateDue = !today.equals(lookedForLateOn);
        if (!isLateDue && queue.newDays().isEmpty()) {
            return;
        }
        for (Partition partition : queue.all(today)) {
            synchronized (pause) {
                if (isClosed) {
                    return;
                }
            }
            for (List<Table<?>> tables : List.of(Schema.OF_CALLS, Schema.OF_MESSAGES)) {
                deletable.addAll(new DayMove(connection, archive, steps).move(partition, tables));
            }
        }
        lookedForLateOn = today;
    }

    /** What counted no more a round ago: whoever read it then has had a minute. */
    private void deleteUnlisted(Archive archive, Consumer<RetentionStep> steps) throws IOException {
        for (Path path : List.copyOf(deletable)) {
            archive.folder().delete(path);
            deletable.remove(path);
            steps.accept(RetentionStep.DELETED);
        }
    }

    private long databaseBytes() {
        Path file = store.file();
        return file == null
                ? 0
                : file.toFile().length()
                        + file.resolveSibling(file.getFileName() + ".wal")
                                .toFile()
                                .length();
    }

    /** Ends it; a move that has begun is finished. The store stays open. */
    @Override
    public void close() {
        synchronized (pause) {
            isClosed = true;
            pause.notifyAll();
        }
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                isInterrupted = true; // it has to end before the store is closed
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
