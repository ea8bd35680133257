package io.offhook.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts what a writer wrote and lost. Thread-safe. */
final class WriterTotals {
    private static final String PLACE = "store";

    private long callsWritten;
    private long messagesWritten;
    private long registrationsWritten;
    private long callsLost;
    private long messagesLost;
    private long registrationsLost;
    private long failedWrites;
    private @Nullable String lastFailure;

    /** What is a row of {@code drops} already. */
    private long callsReported;

    private long messagesReported;
    private long registrationsReported;

    synchronized void written(Batch batch) {
        callsWritten += batch.calls().size();
        messagesWritten += batch.messages().size();
        registrationsWritten += batch.registrations().size();
        lastFailure = null;
    }

    synchronized void lost(Batch batch) {
        callsLost += batch.calls().size();
        messagesLost += batch.messages().size();
        registrationsLost += batch.registrations().size();
    }

    synchronized void messageLost() {
        messagesLost++;
    }

    synchronized void callsLost(long count) {
        callsLost += count;
    }

    synchronized void registrationsLost(long count) {
        registrationsLost += count;
    }

    synchronized void failed(Exception e) {
        failedWrites++;
        lastFailure = String.valueOf(e.getMessage());
    }

    synchronized WriterCounts counts(long queuedBytes) {
        return new WriterCounts(
                new WriterCounts.Items(callsWritten, messagesWritten, registrationsWritten),
                new WriterCounts.Items(callsLost, messagesLost, registrationsLost),
                failedWrites,
                queuedBytes,
                lastFailure);
    }

    synchronized boolean isLossToReport() {
        return callsLost != callsReported
                || messagesLost != messagesReported
                || registrationsLost != registrationsReported;
    }

    /** Rows for what was lost since the last ones. */
    synchronized List<DropRow> drops() {
        List<DropRow> rows = new ArrayList<>(0);
        add(rows, "callsLost", callsLost - callsReported);
        add(rows, "messagesLost", messagesLost - messagesReported);
        add(rows, "registrationsLost", registrationsLost - registrationsReported);
        callsReported = callsLost;
        messagesReported = messagesLost;
        registrationsReported = registrationsLost;
        return rows;
    }

    private static void add(List<DropRow> rows, String cause, long count) {
        if (count > 0) {
            long nowNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
            rows.add(new DropRow(PLACE, new CaptureDrop(nowNs, PLACE, cause, count)));
        }
    }

    /** The rows were not written: they are made again. */
    synchronized void giveBack(List<DropRow> rows) {
        for (DropRow row : rows) {
            long count = row.drop().count();
            switch (row.drop().cause()) {
                case "callsLost" -> callsReported -= count;
                case "messagesLost" -> messagesReported -= count;
                default -> registrationsReported -= count;
            }
        }
    }
}
