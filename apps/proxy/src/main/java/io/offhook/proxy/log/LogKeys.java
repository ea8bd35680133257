package io.offhook.proxy.log;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import io.offhook.proxy.line.LineWriter;
import java.util.EnumMap;
import java.util.Map;

/** The keys of a {@link LogConfig}. */
final class LogKeys {
    private static final ConfigKey<String> FILE = ConfigKey.optional(
            "file",
            ConfigTypes.text(4000),
            "The file that lines are added to; `offhook proxy log reopen` opens it again after it was moved away."
                    + " Default standard error.");
    private static final ConfigKey<LogFormat> FORMAT =
            ConfigKey.of("format", ConfigTypes.oneOf(LogFormat.class), "text", "The form of lines.");
    private static final ConfigKey<LogLevel> LEVEL = ConfigKey.of(
                    "level",
                    ConfigTypes.oneOf(LogLevel.class),
                    "info",
                    "The level of categories that have none of their own.")
            .whileRunning();
    private static final ConfigKey<Integer> QUEUE = ConfigKey.of(
            "queue",
            ConfigTypes.integer(64, LineWriter.MOST_CAPACITY),
            "8192",
            "Messages that may wait for the disk; what is beyond is dropped and counted.");
    private static final ConfigKey<Integer> LINES = ConfigKey.of(
            "lines-per-second",
            ConfigTypes.integer(1, 1_000_000),
            "5000",
            "The most messages in a second; what is beyond is dropped and counted.");
    private static final Map<LogCategory, ConfigKey<LogLevel>> CATEGORIES = categories();
    private static final ConfigKey<Map<LogCategory, LogLevel>> LEVELS = ConfigKey.section(
                    "levels",
                    ConfigSchema.of(
                            "levels",
                            "Levels of single categories.",
                            LogKeys::levels,
                            CATEGORIES.values().toArray(ConfigKey<?>[]::new)),
                    "Levels of single categories.")
            .whileRunning();

    static final ConfigSchema<LogConfig> SCHEMA = ConfigSchema.of(
            "log",
            "The log of the proxy.",
            values -> new LogConfig(
                    values.find(FILE),
                    values.get(FORMAT),
                    values.get(LEVEL),
                    values.get(LEVELS),
                    values.get(QUEUE),
                    values.get(LINES)),
            FILE,
            FORMAT,
            LEVEL,
            LEVELS,
            QUEUE,
            LINES);

    private LogKeys() {}

    private static Map<LogCategory, ConfigKey<LogLevel>> categories() {
        Map<LogCategory, ConfigKey<LogLevel>> keys = new EnumMap<>(LogCategory.class);
        for (LogCategory category : LogCategory.values()) {
            keys.put(
                    category,
                    ConfigKey.optional(
                            category.word(),
                            ConfigTypes.oneOf(LogLevel.class),
                            "The level of `" + category.word() + "`; default that of `level`."));
        }
        return keys;
    }

    private static Map<LogCategory, LogLevel> levels(ConfigValues values) {
        Map<LogCategory, LogLevel> levels = new EnumMap<>(LogCategory.class);
        CATEGORIES.forEach((category, key) -> {
            LogLevel level = values.find(key);
            if (level != null) {
                levels.put(category, level);
            }
        });
        return levels;
    }
}
