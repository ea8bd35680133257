package io.offhook.proxy.dns;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The keys of a {@link DnsConfig}. */
final class DnsKeys {
    private static final int PORT = 53;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MILLISECOND_NS = 1_000_000L;
    private static final long DAY_NS = 86_400 * SECOND_NS;

    private static final ConfigType<Endpoint> SERVER =
            ConfigTypes.scalar("address, such as 192.0.2.53 or [2001:db8::53]:5353", DnsKeys::server);
    private static final ConfigType<IpAddress> ADDRESS = ConfigTypes.scalar("IPv4 or IPv6 address", DnsKeys::address);
    private static final ConfigType<String> SUFFIX = ConfigTypes.scalar("domain, such as e164.arpa", text -> {
        DnsQuestion question = DnsQuestion.of(text, DnsType.NAPTR);
        if (question == null || text.length() > 200) {
            throw new IllegalArgumentException("\"" + text + "\" is not a domain of at most 200 characters");
        }
        return question.name();
    });

    private static final ConfigKey<Boolean> ENABLED = ConfigKey.of(
                    "enabled",
                    ConfigTypes.bool(),
                    "true",
                    "Whether servers are asked; if not, only addresses, `localhost` and `hosts` are known.")
            .whileRunning();
    private static final ConfigKey<List<Endpoint>> SERVERS = ConfigKey.repeated(
                    "servers", SERVER, 8, "The DNS servers, in the order of asking; default those of the system.")
            .whileRunning();
    private static final ConfigKey<Long> TIMEOUT = ConfigKey.of(
                    "timeout",
                    ConfigTypes.durationNs(10 * MILLISECOND_NS, 30 * SECOND_NS),
                    "1500ms",
                    "How long a server has for an answer.")
            .whileRunning();
    private static final ConfigKey<Integer> TRIES = ConfigKey.of(
                    "tries",
                    ConfigTypes.integer(1, 10),
                    "2",
                    "How often all servers are asked before a name counts as failed.")
            .whileRunning();
    private static final ConfigKey<Integer> OPEN = ConfigKey.of(
                    "max-open-questions",
                    ConfigTypes.integer(1, 65_536),
                    "500",
                    "Questions that are open at a time; further ones fail at once.")
            .whileRunning();
    private static final ConfigKey<Integer> DESTINATIONS = ConfigKey.of(
                    "max-destinations",
                    ConfigTypes.integer(1, 64),
                    "16",
                    "Destinations that one URI may lead to; those of least preference are left out.")
            .whileRunning();
    private static final ConfigKey<DnsConfig.Families> FAMILIES = ConfigKey.of(
                    "families",
                    ConfigTypes.oneOf(DnsConfig.Families.class),
                    "ipv4-first",
                    "Which addresses are used, and which first.")
            .whileRunning();
    private static final ConfigKey<Long> DOWN = ConfigKey.of(
                    "down-for",
                    ConfigTypes.durationNs(0, 24 * 3600 * SECOND_NS),
                    "30s",
                    "How long a destination is tried last after it failed: transport error, 503 or 408.")
            .whileRunning();
    private static final ConfigKey<Integer> DOWN_ENTRIES = ConfigKey.of(
                    "max-down",
                    ConfigTypes.integer(0, 1_000_000),
                    "1000",
                    "Destinations that are remembered as failed.")
            .whileRunning();

    // ---- memory

    private static final ConfigKey<Integer> ENTRIES =
            ConfigKey.of("entries", ConfigTypes.integer(16, 10_000_000), "10000", "Answers that are kept.");
    private static final ConfigKey<Long> MIN_TTL =
            ConfigKey.of("min-ttl", ConfigTypes.durationNs(0, DAY_NS), "1s", "How long an answer is kept at least.");
    private static final ConfigKey<Long> MAX_TTL = ConfigKey.of(
            "max-ttl", ConfigTypes.durationNs(SECOND_NS, 7 * DAY_NS), "1h", "How long an answer is kept at most.");
    private static final ConfigKey<Long> NEGATIVE_TTL = ConfigKey.of(
            "negative-ttl",
            ConfigTypes.durationNs(0, DAY_NS),
            "1m",
            "How long it is kept at most that a name, or a record of it, does not exist.");
    private static final ConfigKey<Long> FAILURE_TTL = ConfigKey.of(
            "failure-ttl",
            ConfigTypes.durationNs(0, 300 * SECOND_NS),
            "2s",
            "How long it is kept that no server answered.");
    private static final ConfigKey<Long> STALE = ConfigKey.of(
            "stale",
            ConfigTypes.durationNs(0, 7 * DAY_NS),
            "0s",
            "How long after its end an answer is used if no server answers; 0s for never.");

    private static final ConfigSchema<DnsConfig.Cache> CACHE_SECTION = ConfigSchema.of(
            "cache",
            "The memory of answers.",
            DnsKeys::cache,
            ENTRIES,
            MIN_TTL,
            MAX_TTL,
            NEGATIVE_TTL,
            FAILURE_TTL,
            STALE);

    private static final ConfigKey<DnsConfig.Cache> CACHE =
            ConfigKey.section("cache", CACHE_SECTION, "The memory of answers.").whileRunning();
    private static final ConfigKey<Map<String, List<IpAddress>>> HOSTS = ConfigKey.optional(
                    "hosts",
                    ConfigTypes.map(ConfigTypes.list(ADDRESS, 16), 10_000),
                    "Addresses by name, which no server is asked about.")
            .whileRunning();

    // ---- ENUM

    private static final ConfigKey<Boolean> ENUM_ENABLED =
            ConfigKey.of("enabled", ConfigTypes.bool(), "false", "Whether telephone numbers are looked up.");
    private static final ConfigKey<String> ENUM_SUFFIX =
            ConfigKey.of("suffix", SUFFIX, "e164.arpa", "The domain below which the numbers are.");
    private static final ConfigSchema<DnsConfig.Enumeration> ENUM_SECTION = ConfigSchema.of(
            "enum",
            "Telephone numbers to URIs (RFC 6116).",
            values -> new DnsConfig.Enumeration(values.get(ENUM_ENABLED), values.get(ENUM_SUFFIX)),
            ENUM_ENABLED,
            ENUM_SUFFIX);
    private static final ConfigKey<DnsConfig.Enumeration> ENUM = ConfigKey.section(
                    "enum", ENUM_SECTION, "Telephone numbers to URIs (RFC 6116).")
            .whileRunning();

    static final ConfigSchema<DnsConfig> SCHEMA = ConfigSchema.of(
            "dns",
            "How names become addresses (RFC 3263).",
            DnsKeys::config,
            ENABLED,
            SERVERS,
            TIMEOUT,
            TRIES,
            OPEN,
            DESTINATIONS,
            FAMILIES,
            DOWN,
            DOWN_ENTRIES,
            CACHE,
            HOSTS,
            ENUM);

    private DnsKeys() {}

    private static DnsConfig.Cache cache(ConfigValues values) {
        long min = values.get(MIN_TTL) / SECOND_NS;
        long max = values.get(MAX_TTL) / SECOND_NS;
        if (min > max) {
            values.fault(MIN_TTL, "is longer than max-ttl: lower it, or raise max-ttl");
            min = max;
        }
        return new DnsConfig.Cache(
                values.get(ENTRIES),
                min,
                max,
                values.get(NEGATIVE_TTL) / SECOND_NS,
                values.get(FAILURE_TTL) / SECOND_NS,
                values.get(STALE) / SECOND_NS);
    }

    private static DnsConfig config(ConfigValues values) {
        Map<String, List<IpAddress>> given = values.find(HOSTS);
        Map<String, List<IpAddress>> hosts = new HashMap<>();
        if (given != null) {
            given.forEach((name, addresses) -> {
                DnsQuestion question = DnsQuestion.of(name, DnsType.A);
                if (question == null) {
                    values.fault(HOSTS, "has \"" + name + "\", which is not a host name");
                } else {
                    hosts.put(question.name().toLowerCase(Locale.ROOT), addresses);
                }
            });
        }
        return new DnsConfig(
                values.get(ENABLED),
                values.get(SERVERS),
                new DnsConfig.Limits(
                        (int) (values.get(TIMEOUT) / MILLISECOND_NS),
                        values.get(TRIES),
                        values.get(OPEN),
                        values.get(DESTINATIONS),
                        values.get(DOWN) / MILLISECOND_NS,
                        values.get(DOWN_ENTRIES)),
                values.get(FAMILIES),
                values.get(CACHE),
                hosts,
                values.get(ENUM));
    }

    private static IpAddress address(String text) {
        IpAddress address = IpAddress.parse(text);
        if (address == null) {
            throw new IllegalArgumentException("\"" + text + "\" is not an IPv4 or IPv6 address");
        }
        return address;
    }

    private static Endpoint server(String text) {
        IpAddress alone = IpAddress.parse(text);
        if (alone != null) {
            return Endpoint.of(alone, PORT);
        }
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        IpAddress address = IpAddress.parse(isBracketed ? host.substring(1, host.length() - 1) : host);
        String port = colon < 0 ? "" : text.substring(colon + 1);
        boolean isPort = port.matches("[0-9]{1,5}") && Integer.parseInt(port) >= 1 && Integer.parseInt(port) <= 65_535;
        if (address == null || !isPort || address.isIpv4() == isBracketed) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not an address, nor an address with a port such as 192.0.2.53:5353");
        }
        return Endpoint.of(address, Integer.parseInt(port));
    }
}
