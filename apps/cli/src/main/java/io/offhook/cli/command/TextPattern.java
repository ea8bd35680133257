package io.offhook.cli.command;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a filter looks for in a text: a part of it, or, with {@code *} for anything, all of it. Upper and lower case are the
 * same.
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
        // what lies between: each part as early as possible, which leaves most for those after it
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
