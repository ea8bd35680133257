package io.offhook.proxy;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import io.offhook.proxy.config.ListenerConfig;
import io.offhook.proxy.config.OperationConfig;
import io.offhook.proxy.config.SipConfig;
import io.offhook.proxy.dns.DnsConfig;
import io.offhook.proxy.limit.BanConfig;
import io.offhook.proxy.limit.LimitConfig;
import io.offhook.proxy.limit.OverloadConfig;
import io.offhook.proxy.location.LocationConfig;
import io.offhook.proxy.location.RegistrarConfig;
import io.offhook.proxy.media.MediaConfig;
import io.offhook.proxy.routing.RoutingConfig;
import io.offhook.proxy.users.DigestConfig;
import io.offhook.transport.DatagramOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys of a {@link ProxyConfig}: those of the packages, put together. */
final class ProxyKeys {
    private static final ConfigKey<List<ListenerConfig>> LISTENERS = ConfigKey.required(
            "listeners", ConfigTypes.list(ListenerConfig.schema(), 64), "Where the proxy receives messages.");
    private static final ConfigKey<Integer> LANES = ConfigKey.of(
            "lanes",
            ConfigTypes.integer(0, 256),
            "0",
            "The threads for datagrams, each with sockets of its own; 0 for one on each processor.");
    private static final ConfigKey<DatagramOptions.Backend> DATAGRAMS = ConfigKey.of(
            "datagrams",
            ConfigTypes.oneOf(datagrams()),
            "auto",
            "How datagrams are received and sent: `auto` by recvmmsg(2) and sendmmsg(2) of Linux where they work, `nio` by the"
                    + " JDK in any case, which reports neither closed ports nor how long messages have waited.");
    private static final ConfigKey<Boolean> OPEN = ConfigKey.of(
                    "open",
                    ConfigTypes.bool(),
                    "false",
                    "Whether everybody may register and call without a password; only where all listeners are on loopback.")
            .whileRunning();
    private static final ConfigKey<SipConfig> SIP =
            ConfigKey.section("sip", SipConfig.schema(), "How requests are handled.");
    private static final ConfigKey<RegistrarConfig> REGISTRAR =
            ConfigKey.section("registrar", RegistrarConfig.schema(), "What the registrar grants, and to whom.");
    private static final ConfigKey<LocationConfig> LOCATION =
            ConfigKey.section("location", LocationConfig.schema(), "Where registrations are kept.");
    private static final ConfigKey<DigestConfig> USERS =
            ConfigKey.section("users", DigestConfig.schema(), "Who may register and call, by digest authentication.");
    private static final ConfigKey<DnsConfig> DNS =
            ConfigKey.section("dns", DnsConfig.schema(), "How names become addresses.");
    private static final ConfigKey<MediaConfig> MEDIA =
            ConfigKey.section("media", MediaConfig.schema(), "Which calls have their media relayed, and by what.");
    private static final ConfigKey<LimitConfig> LIMITS =
            ConfigKey.section("limits", LimitConfig.schema(), "What one source and one user may ask for.");
    private static final ConfigKey<BanConfig> BAN =
            ConfigKey.section("ban", BanConfig.schema(), "When sources are banned.");
    private static final ConfigKey<OverloadConfig> OVERLOAD = ConfigKey.section(
                    "overload",
                    OverloadConfig.schema(),
                    "When new requests are refused because messages wait too long.")
            .whileRunning();

    static final ConfigSchema<ProxyConfig> SCHEMA =
            ConfigSchema.of("proxy", "A SIP proxy and registrar.", ProxyKeys::config, keys());

    private ProxyKeys() {}

    private static Map<String, DatagramOptions.Backend> datagrams() {
        Map<String, DatagramOptions.Backend> backends = new LinkedHashMap<>();
        backends.put("auto", DatagramOptions.Backend.AUTO);
        backends.put("nio", DatagramOptions.Backend.NIO);
        return backends;
    }

    private static ConfigKey<?>[] keys() {
        List<ConfigKey<?>> keys = new ArrayList<>(List.of(LISTENERS, LANES, DATAGRAMS, OPEN, SIP));
        keys.addAll(RoutingConfig.keys());
        keys.addAll(List.of(REGISTRAR, LOCATION, USERS, DNS, MEDIA, LIMITS, BAN, OVERLOAD));
        keys.addAll(OperationConfig.keys());
        return keys.toArray(ConfigKey<?>[]::new);
    }

    private static ProxyConfig config(ConfigValues values) {
        return new ProxyConfig(
                new ProxyConfig.Network(
                        values.get(LISTENERS),
                        values.get(LANES),
                        values.get(DATAGRAMS),
                        values.get(DNS),
                        values.get(MEDIA)),
                values.get(SIP),
                RoutingConfig.of(values),
                new ProxyConfig.Registrations(
                        values.get(OPEN), values.get(REGISTRAR), values.get(LOCATION), values.get(USERS)),
                new ProxyConfig.Defence(values.get(LIMITS), values.get(BAN), values.get(OVERLOAD)),
                OperationConfig.of(values),
                values.section());
    }
}
