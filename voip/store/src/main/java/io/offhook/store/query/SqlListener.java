package io.offhook.store.query;

import java.io.DataInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Waits for the next question while one is answered, and notices so that who asked has gone away. */
final class SqlListener {
    private final Thread thread;
    private volatile SqlWire.@Nullable Frame next;

    private SqlListener(DataInputStream in, Runnable gone) {
        thread = Thread.ofPlatform().daemon().name("offhook-sql-listen").unstarted(() -> {
            try {
                next = SqlWire.read(in, SqlWire.MOST_REQUEST);
            } catch (IOException _) {
                next = null;
            }
            if (next == null) {
                gone.run();
            }
        });
    }

    static SqlListener start(DataInputStream in, Runnable gone) {
        SqlListener listener = new SqlListener(in, gone);
        listener.thread.start();
        return listener;
    }

    /** @return null if there is none any more */
    SqlWire.@Nullable Frame next() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
        return next;
    }
}
