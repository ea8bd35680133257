package io.offhook.cli.input;

import org.jspecify.annotations.Nullable;

/** What was thrown first, and contained, while captures were read: one for all passes over the same files. */
final class FirstDefect {
    private @Nullable RuntimeException thrown;

    /** Keeps it if it is the first; null is none. */
    void keep(@Nullable RuntimeException contained) {
        thrown = thrown == null ? contained : thrown;
    }

    @Nullable
    RuntimeException thrown() {
        return thrown;
    }
}
