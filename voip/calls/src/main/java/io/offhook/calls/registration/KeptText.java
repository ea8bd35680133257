package io.offhook.calls.registration;

import org.jspecify.annotations.Nullable;

/**
 * Shortens text that is kept longer than its message: a header may be as long as a message, but must not grow a table
 * by that much.
 */
public final class KeptText {
    /** The most characters kept of a text; of a longer one, the last is an ellipsis. */
    public static final int LIMIT = 256;

    private KeptText() {}

    /** The text, or its beginning and an ellipsis where it is longer than {@value #LIMIT} characters. */
    public static String cut(String text) {
        return text.length() <= LIMIT ? text : text.substring(0, LIMIT - 1) + '\u2026';
    }

    /** As {@link #cut}, but null for empty text. */
    public static @Nullable String cutOrNull(String text) {
        return text.isEmpty() ? null : cut(text);
    }
}
