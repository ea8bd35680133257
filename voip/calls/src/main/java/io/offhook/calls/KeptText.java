package io.offhook.calls;

import org.jspecify.annotations.Nullable;

/** Text of messages that outlives them: a header may be as long as its message, but no table is to grow by that. */
final class KeptText {
    /** Characters that are kept of a text; the last one then is an ellipsis. */
    static final int LIMIT = 256;

    private KeptText() {}

    static String cut(String text) {
        return text.length() <= LIMIT ? text : text.substring(0, LIMIT - 1) + '\u2026';
    }

    /** The same; null where there is none. */
    static @Nullable String cutOrNull(String text) {
        return text.isEmpty() ? null : cut(text);
    }
}
