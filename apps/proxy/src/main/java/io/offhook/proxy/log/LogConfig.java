package io.offhook.proxy.log;

import io.offhook.config.ConfigSchema;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The log, as a section of a configuration.
 *
 * @param file the file that lines are added to; null for standard error
 * @param format the form of lines
 * @param level the level of categories that {@code levels} does not name
 * @param levels levels of single categories
 * @param queue the most messages that wait to be written
 * @param linesPerSecond the most messages in a second
 */
public record LogConfig(
        @Nullable String file,
        LogFormat format,
        LogLevel level,
        Map<LogCategory, LogLevel> levels,
        int queue,
        int linesPerSecond) {
    /** Copies the levels. */
    public LogConfig {
        levels = Map.copyOf(levels);
    }

    /** The keys of the section. */
    public static ConfigSchema<LogConfig> schema() {
        return LogKeys.SCHEMA;
    }

    /** Standard error, text, one level for all. */
    public static LogConfig of(LogLevel level) {
        return new LogConfig(null, LogFormat.TEXT, level, Map.of(), 8192, 5000);
    }

    /** The level of a category. */
    public LogLevel level(LogCategory category) {
        return levels.getOrDefault(category, level);
    }
}
