package io.offhook.proxy.config;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import io.offhook.proxy.control.ControlConfig;
import io.offhook.proxy.log.LogConfig;
import io.offhook.proxy.mirror.MirrorConfig;
import io.offhook.proxy.statistics.StatisticsConfig;
import java.util.List;

/**
 * How the proxy is run and looked into. Its keys are at the top of the file; see {@link #keys}.
 *
 * @param graceMs how long a shutdown waits for what is in flight, in ms
 * @param control the socket of {@code offhook proxy calls}, {@code stats} and so on
 * @param statistics what is counted, and where it is served
 * @param log what is logged, and where
 * @param mirror where messages are mirrored to
 */
public record OperationConfig(
        long graceMs, ControlConfig control, StatisticsConfig statistics, LogConfig log, MirrorConfig mirror) {
    private static final long SECOND_NS = 1_000_000_000L;

    private static final ConfigKey<Long> GRACE = ConfigKey.of(
                    "shutdown-grace",
                    ConfigTypes.durationNs(0, 3600 * SECOND_NS),
                    "10s",
                    "How long a shutdown waits for answers in flight and data of connections; a second signal ends at once.")
            .whileRunning();
    private static final ConfigKey<ControlConfig> CONTROL =
            ConfigKey.section("control", ControlConfig.schema(), "The socket for commands to the running proxy.");
    private static final ConfigKey<StatisticsConfig> STATISTICS =
            ConfigKey.section("statistics", StatisticsConfig.schema(), "What is counted, and who may ask.");
    private static final ConfigKey<LogConfig> LOG =
            ConfigKey.section("log", LogConfig.schema(), "What is logged, and where.");

    private static final ConfigKey<MirrorConfig> HEP =
            ConfigKey.section("hep", MirrorConfig.schema(), "The collector that each message is mirrored to, by HEP3.");

    private static final List<ConfigKey<?>> KEYS = List.of(GRACE, CONTROL, STATISTICS, LOG, HEP);

    /** The keys, for the schema of the whole file. */
    public static List<ConfigKey<?>> keys() {
        return KEYS;
    }

    /** Reads the values of {@link #keys} from the section that has them. */
    public static OperationConfig of(ConfigValues values) {
        return new OperationConfig(
                values.get(GRACE) / 1_000_000,
                values.get(CONTROL),
                values.get(STATISTICS),
                values.get(LOG),
                values.get(HEP));
    }
}
