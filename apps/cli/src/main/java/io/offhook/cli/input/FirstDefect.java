package io.offhook.cli.input;

import org.jspecify.annotations.Nullable;

/** The first contained exception while captures were read, shared by all passes over the same files; by any thread. */
final class FirstDefect {
    private @Nullable RuntimeException thrown;

    /** Keeps the exception if it is the first; null means none. */
    synchronized void keep(@Nullable RuntimeException contained) {
        thrown = thrown == null ? contained : thrown;
    }

    synchronized @Nullable RuntimeException thrown() {
        return thrown;
    }
}
