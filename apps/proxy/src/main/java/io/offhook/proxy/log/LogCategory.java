package io.offhook.proxy.log;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a message is about. Each has a level of its own. */
public enum LogCategory {
    /** The process itself: start, reload, end. */
    PROXY,
    /** Messages and transactions. */
    SIP,
    /** Registrations and authentication. */
    REGISTRAR,
    /** Where calls go. */
    ROUTING,
    /** Names that are resolved. */
    DNS,
    /** Sockets, connections, TLS. */
    TRANSPORT,
    /** Limits, bans, overload. */
    LIMIT,
    /** Media relays. */
    MEDIA,
    /** Configuration and its reload. */
    CONFIG,
    /** Commands of the control socket. */
    CONTROL;

    private static final LogCategory[] VALUES = values();

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The category as it is written: "registrar". */
    public String word() {
        return word;
    }

    /** The category of this word, or null. */
    public static @Nullable LogCategory of(String word) {
        for (LogCategory category : VALUES) {
            if (category.word.equals(word)) {
                return category;
            }
        }
        return null;
    }
}
