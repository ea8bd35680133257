package io.offhook.proxy.statistics;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.proxy.line.LineWriter;
import org.jspecify.annotations.Nullable;

/**
 * Statistics, as a section of a configuration.
 *
 * @param metrics where {@code /metrics} is served; null for nowhere
 * @param callRecords the file of call records; null for none
 * @param callRecordQueue the most call records that wait to be written
 * @param neighbours the most neighbours that each lane counts apart
 * @param callMessages the last messages that are remembered of each call; 0 for none
 */
public record StatisticsConfig(
        @Nullable Endpoint metrics,
        @Nullable String callRecords,
        int callRecordQueue,
        int neighbours,
        int callMessages) {
    private static final ConfigKey<Endpoint> METRICS = ConfigKey.optional(
            "metrics",
            ConfigTypes.scalar("IP address and port", StatisticsConfig::endpoint),
            "Where `/metrics` is served for Prometheus, such as `127.0.0.1:9060`, without authentication. Default"
                    + " nowhere.");
    private static final ConfigKey<String> CALL_RECORDS = ConfigKey.optional(
            "call-records",
            ConfigTypes.text(4000),
            "The file to which a line of JSON is added for each call that ended; `offhook proxy log reopen` opens it"
                    + " again after it was moved away. Default none.");
    private static final ConfigKey<Integer> QUEUE = ConfigKey.of(
            "call-record-queue",
            ConfigTypes.integer(64, LineWriter.MOST_CAPACITY),
            "16384",
            "Call records that may wait for the disk; what is beyond is dropped and counted.");
    private static final ConfigKey<Integer> NEIGHBOURS = ConfigKey.of(
            "neighbours",
            ConfigTypes.integer(16, 65_536),
            "1024",
            "Addresses and ports whose messages each lane counts apart.");
    private static final ConfigKey<Integer> CALL_MESSAGES = ConfigKey.of(
            "call-messages",
            ConfigTypes.integer(0, 1024),
            "64",
            "The last messages of each call that `offhook proxy call` shows; 0 for none.");
    private static final ConfigSchema<StatisticsConfig> SCHEMA = ConfigSchema.of(
            "statistics",
            "What is counted, and who may ask.",
            values -> new StatisticsConfig(
                    values.find(METRICS),
                    values.find(CALL_RECORDS),
                    values.get(QUEUE),
                    values.get(NEIGHBOURS),
                    values.get(CALL_MESSAGES)),
            METRICS,
            CALL_RECORDS,
            QUEUE,
            NEIGHBOURS,
            CALL_MESSAGES);

    /** The keys of the section. */
    public static ConfigSchema<StatisticsConfig> schema() {
        return SCHEMA;
    }

    private static Endpoint endpoint(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        String port = text.substring(colon + 1);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("\"" + text + "\": an IPv6 address needs brackets, as in [::1]:9060");
        }
        IpAddress address = IpAddress.parse(host);
        if (address == null || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
            throw new IllegalArgumentException("\"" + text + "\" is not an address and a port, such as 127.0.0.1:9060");
        }
        return Endpoint.of(address, Integer.parseInt(port));
    }
}
