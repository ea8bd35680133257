package io.offhook.cli.command;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A pattern for text: a part of it, or, with {@code *} as a wildcard, the whole. Case-insensitive.
 */
public final class TextPattern {
    private final String[] parts;

    public TextPattern(String pattern) {
        parts = pattern.toLowerCase(Locale.ROOT).split("\\*", -1);
    }

    public boolean matches(@Nullable String text) {
        if (text == null) {
            return false;
        }
        String lower = text.toLowerCase(Locale.ROOT);
        if (parts.length == 1) {
            return lower.contains(parts[0]);
        }
        String head = parts[0];
        String tail = parts[parts.length - 1];
        if (lower.length() < head.length() + tail.length() || !lower.startsWith(head) || !lower.endsWith(tail)) {
            return false;
        }
        // the parts between: each as early as possible, which leaves the most text for later ones
        int from = head.length();
        int end = lower.length() - tail.length();
        for (int i = 1; i < parts.length - 1; i++) {
            int at = lower.indexOf(parts[i], from);
            if (at < 0 || at + parts[i].length() > end) {
                return false;
            }
            from = at + parts[i].length();
        }
        return true;
    }
}
