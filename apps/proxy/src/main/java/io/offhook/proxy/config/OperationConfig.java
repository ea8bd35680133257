package io.offhook.proxy.config;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.config.ConfigValues;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the proxy is run and looked into. Its keys are at the top of the file; see {@link #keys}.
 *
 * @param graceMs how long a shutdown waits for what is in flight, in ms
 * @param controlSocket the socket of {@code offhook proxy calls}, {@code stats} and so on; null for none
 * @param metrics where /metrics is served for Prometheus, as address and port; null for nowhere
 * @param log the least severity that is logged
 * @param callRecords the file to which a line of JSON is written for each call; null for none
 */
public record OperationConfig(
        long graceMs,
        @Nullable Placed<Path> controlSocket,
        @Nullable Placed<String> metrics,
        LogSeverity log,
        @Nullable Placed<Path> callRecords) {
    /** How severe something is. */
    public enum LogSeverity {
        /** Nothing is logged. */
        OFF,
        /** Something is broken and needs somebody. */
        ERROR,
        /** Something is wrong, and the proxy goes on. */
        WARNING,
        /** What an operator wants to read afterwards: starts, reloads, bans, members that go down. */
        INFO,
        /** Each decision, for searching. */
        DEBUG
    }

    private static final long SECOND_NS = 1_000_000_000L;

    private static final ConfigKey<Long> GRACE = ConfigKey.of(
                    "shutdown-grace",
                    ConfigTypes.durationNs(0, 3600 * SECOND_NS),
                    "10s",
                    "How long a shutdown waits for answers in flight and data of connections; a second signal ends at once.")
            .whileRunning();
    private static final ConfigKey<Placed<String>> CONTROL = ConfigKey.optional(
            "control-socket",
            ConfigTypes.placed(ConfigTypes.text(107)),
            "The socket of `offhook proxy calls`, `stats` and so on, for the owner of the process only. Default"
                    + " `offhook-proxy.sock` in `$XDG_RUNTIME_DIR`, or in the folder for temporary files.");
    private static final ConfigKey<Placed<String>> METRICS = ConfigKey.optional(
            "metrics",
            ConfigTypes.placed(ConfigTypes.scalar("address and port, such as 127.0.0.1:9464", text -> {
                if (!text.matches("([0-9.]{7,15}|\\[[0-9A-Fa-f:.]{2,45}]):[0-9]{1,5}")) {
                    throw new IllegalArgumentException(
                            "\"" + text + "\" is not an address with a port, such as 127.0.0.1:9464 or [::1]:9464");
                }
                return text;
            })),
            "Where `/metrics` is served for Prometheus; default nowhere.");
    private static final ConfigKey<LogSeverity> LEVEL = ConfigKey.of(
                    "level", ConfigTypes.oneOf(LogSeverity.class), "info", "The least severity that is logged.")
            .whileRunning();
    private static final ConfigKey<LogSeverity> LOG = ConfigKey.section(
            "log",
            ConfigSchema.of("log", "The log of the proxy.", values -> values.get(LEVEL), LEVEL),
            "The log of the proxy.");
    private static final ConfigKey<Placed<String>> RECORDS = ConfigKey.optional(
            "call-records",
            ConfigTypes.placed(ConfigTypes.text(4096)),
            "The file to which a line of JSON is appended for each call that has ended; default none.");

    private static final List<ConfigKey<?>> KEYS = List.of(GRACE, CONTROL, METRICS, LOG, RECORDS);

    /** The keys, for the schema of the whole file. */
    public static List<ConfigKey<?>> keys() {
        return KEYS;
    }

    /** Reads the values of {@link #keys} from the section that has them. */
    public static OperationConfig of(ConfigValues values) {
        return new OperationConfig(
                values.get(GRACE) / 1_000_000,
                file(values.find(CONTROL)),
                values.find(METRICS),
                values.get(LOG),
                file(values.find(RECORDS)));
    }

    private static @Nullable Placed<Path> file(@Nullable Placed<String> name) {
        return name == null ? null : new Placed<>(Path.of(name.value()), name.place());
    }
}
