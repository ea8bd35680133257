package io.offhook.proxy.log;

import io.offhook.proxy.line.LineOutput;
import io.offhook.proxy.line.LineWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The logs of all categories, and the thread that writes them. At most {@link LogConfig#queue} messages wait, and at most
 * {@link LogConfig#linesPerSecond} are accepted in a second; what is beyond is counted, and a message reports the count
 * about once a second. A level that is set for a time returns to what it was by itself.
 */
public final class ProxyLog implements AutoCloseable {
    /** The longest time that a level may be set for. */
    public static final long MOST_SECONDS = TimeUnit.DAYS.toSeconds(7);

    private final Map<LogCategory, Log> logs = new EnumMap<>(LogCategory.class);
    /** What a category returns to. */
    private final Map<LogCategory, LogLevel> lasting = new EnumMap<>(LogCategory.class);
    /** Until when a level is set for a time, milliseconds since 1970; guarded by {@code lasting}. */
    private final Map<LogCategory, Long> untilMs = new EnumMap<>(LogCategory.class);

    private final InstantSource clock;
    private final LogRate rate;
    private final LineWriter<LogEntry> writer;
    private long reportedDrops;
    private long reportedMs;

    /**
     * A level of a category.
     *
     * @param category the category
     * @param level the level in force
     * @param lasting the level that it returns to; the same if it is not set for a time
     * @param secondsLeft until it returns, rounded up; 0 if it does not
     */
    public record CategoryLevel(LogCategory category, LogLevel level, LogLevel lasting, long secondsLeft) {}

    /**
     * Creates the logs; {@link #start} starts to write them.
     *
     * @param output where lines go; closed with this
     * @param clock gives the times of messages, and decides when a level returns
     */
    public ProxyLog(LogConfig config, LineOutput output, InstantSource clock) {
        this.clock = clock;
        rate = new LogRate(config.linesPerSecond());
        for (LogCategory category : LogCategory.values()) {
            LogLevel level = config.level(category);
            lasting.put(category, level);
            logs.put(category, new Log(category, this, level));
        }
        reportedMs = clock.millis();
        writer = new LineWriter<>("offhook-log", config.queue(), config.format(), output, this::round);
    }

    /** Starts to write. */
    public void start() {
        writer.start();
    }

    /** The log of a category, always the same one. */
    public Log of(LogCategory category) {
        Log log = logs.get(category);
        if (log == null) {
            throw new IllegalStateException("no log of " + category);
        }
        return log;
    }

    /** Sets a level for good. */
    public void level(LogCategory category, LogLevel level) {
        synchronized (lasting) {
            untilMs.remove(category);
            lasting.put(category, level);
            of(category).level(level);
        }
    }

    /**
     * Sets a level for a time, after which the level returns to what was last set for good.
     *
     * @param seconds 1 to {@link #MOST_SECONDS}
     */
    public void level(LogCategory category, LogLevel level, long seconds) {
        if (seconds < 1 || seconds > MOST_SECONDS) {
            throw new IllegalArgumentException(
                    "a time of " + seconds + " s is not within 1 and " + MOST_SECONDS + " s");
        }
        synchronized (lasting) {
            untilMs.put(category, clock.millis() + TimeUnit.SECONDS.toMillis(seconds));
            of(category).level(level);
        }
    }

    /** Sets the levels of a configuration for good, as a reload does. What is set for a time stays until its time is over. */
    public void levels(LogConfig config) {
        synchronized (lasting) {
            for (LogCategory category : LogCategory.values()) {
                lasting.put(category, config.level(category));
                if (!untilMs.containsKey(category)) {
                    of(category).level(config.level(category));
                }
            }
        }
    }

    /** The levels of all categories. */
    public List<CategoryLevel> levels() {
        long nowMs = clock.millis();
        List<CategoryLevel> levels = new ArrayList<>();
        synchronized (lasting) {
            lasting.forEach((category, level) -> {
                Long until = untilMs.get(category);
                long left = until == null ? 0 : Math.max(0, Math.ceilDiv(until - nowMs, 1000));
                levels.add(new CategoryLevel(category, of(category).level(), level, left));
            });
        }
        return levels;
    }

    /** Asks the writer to open its file again, after it was moved away. */
    public void reopen() {
        writer.reopen();
    }

    /** The messages that were not accepted: the ring was full, or there were too many in a second. */
    public long dropped() {
        return writer.dropped() + rate.refused();
    }

    /** The messages that were written. */
    public long written() {
        return writer.written();
    }

    /** The messages that the output refused: a full disk, a closed pipe. */
    public long refused() {
        return writer.refused();
    }

    /** Why the output failed last; null if it never did. */
    public @Nullable String lastFailure() {
        return writer.lastFailure();
    }

    void accept(LogCategory category, LogLevel level, String text, @Nullable String detail) {
        long nowMs = clock.millis();
        offer(new LogEntry(nowMs, category, level, text, detail));
    }

    /** Takes a message whatever the level of its category is. */
    void offer(LogEntry entry) {
        if (rate.allows(entry.epochMs())) {
            writer.offer(entry);
        }
    }

    /** Run by the writer: lets levels return, and reports drops. */
    private void round() {
        long nowMs = clock.millis();
        synchronized (lasting) {
            if (!untilMs.isEmpty()) {
                untilMs.entrySet().removeIf(entry -> {
                    boolean isOver = nowMs >= entry.getValue();
                    if (isOver) {
                        LogLevel level = lasting.get(entry.getKey());
                        of(entry.getKey()).level(level == null ? LogLevel.OFF : level);
                    }
                    return isOver;
                });
            }
        }
        long drops = dropped();
        if (drops > reportedDrops && nowMs - reportedMs >= 1000) {
            // past the rate, so that it is seen; if the ring is full, the next round reports it
            boolean isTaken = writer.offer(new LogEntry(
                    nowMs,
                    LogCategory.PROXY,
                    LogLevel.WARNING,
                    (drops - reportedDrops) + " log messages were dropped: more than " + rate.perSecond()
                            + " a second, or more than " + writer.capacity() + " waiting",
                    null));
            if (isTaken) {
                reportedDrops = drops;
                reportedMs = nowMs;
            }
        }
    }

    /** Writes what waits, and closes the output. */
    @Override
    public void close() {
        writer.close();
    }
}
