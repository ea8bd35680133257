package io.offhook.proxy.log;

import org.jspecify.annotations.Nullable;

/**
 * A message of the log.
 *
 * @param epochMs when it was logged, milliseconds since 1970
 * @param category what it is about
 * @param level how much it matters
 * @param text one line; may hold anything from the network, and is escaped when it is written
 * @param detail more lines, such as a SIP message; null if there are none
 */
public record LogEntry(
        long epochMs,
        LogCategory category,
        LogLevel level,
        String text,
        @Nullable String detail) {}
