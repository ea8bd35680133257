package io.offhook.calls;

import org.jspecify.annotations.Nullable;

/**
 * Shortens text that is kept longer than its message: a header may be as long as a message, but must not grow a table
 * by that much.
 */
final class KeptText {
    /** The most characters kept of a text; of a longer one, the last is an ellipsis. */
    static final int LIMIT = 256;

    private KeptText() {}

    static String cut(String text) {
        return text.length() <= LIMIT ? text : text.substring(0, LIMIT - 1) + '\u2026';
    }

    /** As {@link #cut}, but null for empty text. */
    static @Nullable String cutOrNull(String text) {
        return text.isEmpty() ? null : cut(text);
    }
}
