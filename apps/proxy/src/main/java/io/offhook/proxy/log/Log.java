package io.offhook.proxy.log;

import org.jspecify.annotations.Nullable;

/**
 * The log of one category. Build a message only if its level is on, so that what is off costs a read:
 *
 * <pre>{@code
 * if (log.isDebug()) {
 *     log.debug("forwards to " + target);
 * }
 * }</pre>
 *
 * A message is one line; what it holds from the network is escaped when it is written. May be used by any thread; none waits.
 */
public final class Log {
    private final LogCategory category;
    private final ProxyLog owner;
    private volatile LogLevel level;

    Log(LogCategory category, ProxyLog owner, LogLevel level) {
        this.category = category;
        this.owner = owner;
        this.level = level;
    }

    /** What it is about. */
    public LogCategory category() {
        return category;
    }

    /** The level in force. */
    public LogLevel level() {
        return level;
    }

    void level(LogLevel now) {
        level = now;
    }

    /** Whether messages of a level are written. */
    @SuppressWarnings("EnumOrdinal") // the levels are declared in their order
    public boolean isOn(LogLevel asked) {
        return asked.ordinal() <= level.ordinal();
    }

    /** Whether errors are written. */
    public boolean isError() {
        return isOn(LogLevel.ERROR);
    }

    /** Whether warnings are written. */
    public boolean isWarning() {
        return isOn(LogLevel.WARNING);
    }

    /** Whether information is written. */
    public boolean isInfo() {
        return isOn(LogLevel.INFO);
    }

    /** Whether decisions are written. */
    public boolean isDebug() {
        return isOn(LogLevel.DEBUG);
    }

    /** Logs what does not work until somebody acts. */
    public void error(CharSequence text) {
        write(LogLevel.ERROR, text, null);
    }

    /** Logs what is refused, lost or wrong. */
    public void warning(CharSequence text) {
        write(LogLevel.WARNING, text, null);
    }

    /** Logs what an operator may want to know. */
    public void info(CharSequence text) {
        write(LogLevel.INFO, text, null);
    }

    /** Logs a decision. */
    public void debug(CharSequence text) {
        write(LogLevel.DEBUG, text, null);
    }

    /** Logs anything. */
    public void trace(CharSequence text) {
        write(LogLevel.TRACE, text, null);
    }

    /**
     * Logs a message if its level is on.
     *
     * @param detail more lines; null if there are none
     */
    public void write(LogLevel asked, CharSequence text, @Nullable String detail) {
        if (asked != LogLevel.OFF && isOn(asked)) {
            owner.accept(category, asked, text.toString(), detail);
        }
    }
}
