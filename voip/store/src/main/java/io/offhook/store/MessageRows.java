package io.offhook.store;

import io.offhook.sip.SipMessageView;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.duckdb.DuckDBConnection;

/**
 * The rows of the messages of a batch. Where there are many, two threads make and append half of them each, by appenders of their own in
 * the one transaction of their connection: reading headers and handing rows over is most of the work, and DuckDB takes rows from both.
 */
final class MessageRows {
    /** From so many on a second thread is worth its start. */
    private static final int MANY = 10_000;

    private final List<CapturedMessage> messages;
    private final long[] ids;

    private MessageRows(List<CapturedMessage> messages) {
        this.messages = messages;
        ids = new long[messages.size()];
    }

    /** Rows with their ids: of several messages with one id, as a mirror port may deliver them, each has its own. */
    static MessageRows of(List<CapturedMessage> messages) throws SQLException {
        MessageRows rows = new MessageRows(messages);
        rows.inHalves((from, until) -> {
            for (int i = from; i < until; i++) {
                rows.ids[i] = Ids.message(messages.get(i));
            }
        });
        rows.separate();
        return rows;
    }

    private void separate() {
        long[] sorted = ids.clone();
        Arrays.sort(sorted);
        boolean isOneTwice = false;
        for (int i = 1; i < sorted.length; i++) {
            isOneTwice |= sorted[i] == sorted[i - 1];
        }
        if (!isOneTwice) {
            return;
        }
        Set<Long> used = HashSet.newHashSet(ids.length);
        for (int i = 0; i < ids.length; i++) {
            while (!used.add(ids[i])) {
                ids[i] = ids[i] + 1 & Long.MAX_VALUE;
            }
        }
    }

    /** Adds those that may be in the database already. */
    void findStored(Replaced found) {
        for (int i = 0; i < ids.length; i++) {
            long ns = messages.get(i).timestampNs();
            if (ns <= messages.get(i).feed().storedUntilNs() || !TimeRange.isSane(ns)) {
                found.add(ids[i], ns);
            }
        }
    }

    /** Appends all of them in the transaction of the connection. */
    void append(DuckDBConnection connection) throws SQLException {
        if (ids.length > 0) {
            inHalves((from, until) -> append(connection, from, until));
        }
    }

    private void append(DuckDBConnection connection, int from, int until) throws SQLException {
        SipMessageView view = new SipMessageView();
        try (AppenderCells rows = AppenderCells.of(connection, MessageRow.TABLE);
                AppenderCells texts = AppenderCells.of(connection, MessageRow.TEXTS)) {
            for (int i = from; i < until; i++) {
                CapturedMessage message = messages.get(i);
                view.wrap(message.octets(), 0, message.octets().length);
                MessageRow row = new MessageRow(ids[i], message, view);
                rows.row(MessageRow.TABLE, row);
                texts.row(MessageRow.TEXTS, row);
            }
        }
    }

    /** What is done with the messages from one index to another. */
    private interface Part {
        void run(int from, int until) throws SQLException;
    }

    private void inHalves(Part part) throws SQLException {
        if (ids.length < MANY) {
            part.run(0, ids.length);
            return;
        }
        int half = ids.length / 2;
        FutureTask<Boolean> second = new FutureTask<>(() -> {
            part.run(half, ids.length);
            return true;
        });
        Thread.ofPlatform().name("offhook-store-2").start(second);
        try {
            part.run(0, half);
        } finally {
            // whatever happened here, nothing goes on in the transaction behind its end
            await(second);
        }
    }

    private static void await(FutureTask<Boolean> task) throws SQLException {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    task.get();
                    return;
                } catch (InterruptedException _) {
                    isInterrupted = true; // whoever wants this thread to end closes the writer
                } catch (ExecutionException e) {
                    throw failure(e);
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static SQLException failure(ExecutionException failed) {
        return switch (failed.getCause()) {
            case SQLException e -> e;
            case Error e -> throw e;
            case null, default -> throw new IllegalStateException(failed);
        };
    }
}
