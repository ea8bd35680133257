package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import java.nio.file.Path;

/**
 * A {@link CallRouter} of a user.
 *
 * @param jar the jar that has it
 * @param deadlineMs the time in which it must answer, in ms
 * @param otherwise what happens if it does not
 * @param concurrent the most requests that it is asked about at a time
 */
public record RouterConfig(Placed<Path> jar, long deadlineMs, Otherwise otherwise, int concurrent) {
    /** What happens to a request when a router is late, fails or has no answer. */
    public enum Otherwise {
        /** The rules after the router's apply. */
        NEXT_RULE,
        /** 500 is answered. */
        ERROR
    }

    private static final long MS_NS = 1_000_000;

    private static final ConfigKey<Placed<String>> JAR = ConfigKey.required(
            "jar",
            ConfigTypes.placed(ConfigTypes.text(4096)),
            "The jar with a service `io.offhook.proxy.routing.CallRouter`. It is copied when it is loaded.");
    private static final ConfigKey<Long> DEADLINE = ConfigKey.of(
            "deadline", ConfigTypes.durationNs(MS_NS, 30_000 * MS_NS), "500ms", "The time in which it must answer.");
    private static final ConfigKey<Otherwise> OTHERWISE = ConfigKey.of(
            "otherwise",
            ConfigTypes.oneOf(Otherwise.class),
            "next-rule",
            "When it is late, fails or answers null: the rules after its own apply (`next-rule`), or 500 is answered"
                    + " (`error`).");
    private static final ConfigKey<Integer> CONCURRENT = ConfigKey.of(
            "concurrent",
            ConfigTypes.integer(1, 100_000),
            "1000",
            "The most requests that it is asked about at a time; for more, `otherwise` applies.");

    private static final ConfigSchema<RouterConfig> SCHEMA = ConfigSchema.of(
            "router",
            "Routing logic of one's own, in a jar.",
            values -> new RouterConfig(
                    new Placed<>(
                            Path.of(values.get(JAR).value()), values.get(JAR).place()),
                    values.get(DEADLINE) / MS_NS,
                    values.get(OTHERWISE),
                    values.get(CONCURRENT)),
            JAR,
            DEADLINE,
            OTHERWISE,
            CONCURRENT);

    /** The keys. */
    public static ConfigSchema<RouterConfig> schema() {
        return SCHEMA;
    }
}
