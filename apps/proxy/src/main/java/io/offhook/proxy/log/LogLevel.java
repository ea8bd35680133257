package io.offhook.proxy.log;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How much is logged, from the least to the most; each level includes those before it. */
public enum LogLevel {
    /** Nothing. */
    OFF,
    /** What does not work until somebody acts. */
    ERROR,
    /** What is refused, lost or wrong, and goes on. */
    WARNING,
    /** What an operator may want to know: start, reload, end. */
    INFO,
    /** Decisions, a few lines a call. */
    DEBUG,
    /** Everything. */
    TRACE;

    private static final LogLevel[] VALUES = values();

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The level as it is written: "debug". */
    public String word() {
        return word;
    }

    /** The level of this word, or null. */
    public static @Nullable LogLevel of(String word) {
        for (LogLevel level : VALUES) {
            if (level.word.equals(word)) {
                return level;
            }
        }
        return null;
    }
}
