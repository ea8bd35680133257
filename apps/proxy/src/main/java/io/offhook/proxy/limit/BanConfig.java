package io.offhook.proxy.limit;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * When a source is banned, and for how long.
 *
 * @param isEnabled whether sources are banned at all; events are counted in any case
 * @param points what each event counts; 0 for nothing
 * @param threshold how many points ban a source
 * @param durations how long bans last
 * @param allow addresses that are never banned, beside those of trunks
 * @param scanners beginnings of User-Agents of scanners, in lower case
 * @param tableSize the sources that are followed at a time
 */
public record BanConfig(
        boolean isEnabled,
        Map<BadEvent, Integer> points,
        Threshold threshold,
        Durations durations,
        List<AddressBlock> allow,
        List<String> scanners,
        int tableSize) {
    /**
     * How many points ban a source.
     *
     * @param points the points
     * @param windowMs the time in which as many points are forgotten, in ms
     */
    public record Threshold(int points, long windowMs) {}

    /**
     * How long bans last.
     *
     * @param firstMs the first ban of a source, in ms; each further one is twice as long
     * @param mostMs the longest ban, in ms
     * @param unconfirmedMs the longest ban for UDP datagrams whose source may be forged, in ms
     */
    public record Durations(long firstMs, long mostMs, long unconfirmedMs) {}

    private static final long SECOND_NS = 1_000_000_000L;
    private static final long DAY_NS = 24 * 3600 * SECOND_NS;
    private static final List<String> SCANNERS = List.of(
            "friendly-scanner",
            "sipvicious",
            "sipcli",
            "sip-scan",
            "sundayddr",
            "iwar",
            "vaxsipuseragent",
            "pplsip",
            "sipscan",
            "smap",
            "siparmyknife",
            "voipscan");

    private static final ConfigKey<Boolean> ENABLED = ConfigKey.of(
                    "enabled", ConfigTypes.bool(), "true", "Whether sources are banned.")
            .whileRunning();
    private static final ConfigKey<Integer> THRESHOLD = ConfigKey.of(
                    "threshold", ConfigTypes.integer(1, 100_000), "30", "The points that ban a source.")
            .whileRunning();
    private static final ConfigKey<Long> WINDOW = ConfigKey.of(
                    "window",
                    ConfigTypes.durationNs(SECOND_NS, DAY_NS),
                    "1m",
                    "The time in which `threshold` points are forgotten, evenly.")
            .whileRunning();
    private static final ConfigKey<Long> FIRST = ConfigKey.of(
                    "first",
                    ConfigTypes.durationNs(SECOND_NS, DAY_NS),
                    "5m",
                    "How long the first ban of a source lasts. Each further one lasts twice as long.")
            .whileRunning();
    private static final ConfigKey<Long> MOST = ConfigKey.of(
                    "most", ConfigTypes.durationNs(SECOND_NS, 30 * DAY_NS), "24h", "The longest ban.")
            .whileRunning();
    private static final ConfigKey<Long> UNCONFIRMED = ConfigKey.of(
                    "unconfirmed",
                    ConfigTypes.durationNs(SECOND_NS, DAY_NS),
                    "1m",
                    "The longest ban for UDP datagrams alone, whose source address may be forged. A connection"
                            + " confirms it.")
            .whileRunning();
    private static final ConfigKey<List<AddressBlock>> ALLOW = ConfigKey.repeated(
                    "allow",
                    AddressBlock.TYPE,
                    1000,
                    "Addresses that are never banned. The sources of trunks and loopback addresses never are.")
            .whileRunning();
    private static final ConfigKey<List<String>> SCANNER = ConfigKey.optional(
                    "scanners",
                    ConfigTypes.list(ConfigTypes.text(100), 200),
                    "What User-Agents of scanners begin with, in any case; default " + String.join(", ", SCANNERS)
                            + ".")
            .whileRunning();
    private static final ConfigKey<Integer> SIZE = ConfigKey.of(
            "table-size",
            ConfigTypes.integer(1024, 1 << 22),
            "65536",
            "The sources that are followed at a time; 59 bytes each.");

    private static final Map<BadEvent, ConfigKey<Integer>> POINT_KEYS = pointKeys();
    private static final ConfigSchema<Map<BadEvent, Integer>> POINTS_SECTION = ConfigSchema.of(
            "points",
            "What each event counts towards a ban; 0 for nothing.",
            values -> {
                Map<BadEvent, Integer> points = new EnumMap<>(BadEvent.class);
                POINT_KEYS.forEach((event, key) -> points.put(event, values.get(key)));
                return Collections.unmodifiableMap(points);
            },
            POINT_KEYS.values().toArray(ConfigKey<?>[]::new));
    private static final ConfigKey<Map<BadEvent, Integer>> POINTS = ConfigKey.section(
                    "points", POINTS_SECTION, "What each event counts towards a ban.")
            .whileRunning();

    private static final ConfigSchema<BanConfig> SCHEMA = ConfigSchema.of(
            "ban",
            "Defence against scanners, guessers of passwords and floods. What comes from a banned source is dropped without"
                    + " an answer, and counted.",
            values -> {
                if (values.get(FIRST) > values.get(MOST)) {
                    values.fault(FIRST, "is longer than most");
                }
                List<String> scanners = values.find(SCANNER);
                return new BanConfig(
                        values.get(ENABLED),
                        values.get(POINTS),
                        new Threshold(values.get(THRESHOLD), values.get(WINDOW) / 1_000_000),
                        new Durations(
                                values.get(FIRST) / 1_000_000,
                                values.get(MOST) / 1_000_000,
                                values.get(UNCONFIRMED) / 1_000_000),
                        values.get(ALLOW),
                        (scanners == null ? SCANNERS : scanners)
                                .stream()
                                        .map(name -> name.toLowerCase(Locale.ROOT))
                                        .toList(),
                        values.get(SIZE));
            },
            ENABLED,
            THRESHOLD,
            WINDOW,
            POINTS,
            FIRST,
            MOST,
            UNCONFIRMED,
            ALLOW,
            SCANNER,
            SIZE);

    private static Map<BadEvent, ConfigKey<Integer>> pointKeys() {
        Map<BadEvent, ConfigKey<Integer>> keys = new EnumMap<>(BadEvent.class);
        keys.put(BadEvent.MALFORMED, points("malformed", "2", "Bytes that are no SIP message."));
        keys.put(BadEvent.SCANNER, points("scanner", "30", "A User-Agent of `scanners`."));
        keys.put(BadEvent.WRONG_CREDENTIALS, points("wrong-credentials", "3", "A wrong password, or an unknown user."));
        keys.put(
                BadEvent.CHALLENGED,
                points("challenged", "1", "A request without credentials. Success forgets all points."));
        keys.put(BadEvent.NOT_FOUND, points("not-found", "1", "A request answered 404."));
        keys.put(BadEvent.FORBIDDEN, points("forbidden", "2", "A request answered 403."));
        keys.put(BadEvent.TOO_MANY, points("too-many", "1", "A request beyond a rate of `limits`."));
        return keys;
    }

    private static ConfigKey<Integer> points(String name, String text, String description) {
        return ConfigKey.of(name, ConfigTypes.integer(0, 100_000), text, description);
    }

    /** The keys. */
    public static ConfigSchema<BanConfig> schema() {
        return SCHEMA;
    }

    /** What an event counts; 0 for nothing. */
    int pointsOf(BadEvent event) {
        return points.getOrDefault(event, 0);
    }

    /** Whether a User-Agent is that of a scanner. */
    public boolean isScanner(String userAgent) {
        for (int i = 0, count = scanners.size(); i < count; i++) {
            String scanner = scanners.get(i);
            if (userAgent.regionMatches(true, 0, scanner, 0, scanner.length())) {
                return true;
            }
        }
        return false;
    }
}
