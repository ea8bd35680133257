package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that decides where requests go. Its keys are at the top of the file; see {@link #keys}.
 *
 * @param domains our domains, beside the addresses of our listeners
 * @param rules the rules, of which the first match decides
 * @param peers groups, trunks and credentials
 * @param routers routing logic of users, by name
 * @param relay what is sent on by request URI
 * @param headers changes of header fields
 * @param hidesTopology whether Via, Record-Route and Contact of the inside are hidden from the outside
 */
public record RoutingConfig(
        List<DomainName> domains,
        List<RouteRule> rules,
        Peers peers,
        Map<String, RouterConfig> routers,
        RelayConfig relay,
        List<HeaderRule> headers,
        boolean hidesTopology) {
    /**
     * Those that the proxy works with.
     *
     * @param groups groups of next hops, by name
     * @param trunks trusted peers, by name
     * @param credentials for peers that ask for them, by name
     */
    public record Peers(
            Map<String, GroupConfig> groups, Map<String, Trunk> trunks, Map<String, Credentials> credentials) {
        /** Nobody. */
        public static final Peers NONE = new Peers(Map.of(), Map.of(), Map.of());
    }

    private static final int MOST_RULES = 10_000;

    private static final ConfigKey<List<DomainName>> DOMAINS = ConfigKey.repeated(
                    "domains",
                    DomainName.TYPE,
                    10_000,
                    "Domains that are ours, such as example.org or *.example.org. The addresses of the listeners are ours in"
                            + " any case.")
            .whileRunning();
    private static final ConfigKey<List<RouteRule>> RULES = ConfigKey.repeated(
                    "routes",
                    RouteRule.schema(),
                    MOST_RULES,
                    "Rules for requests outside of dialogs; the first one that is for a request decides.")
            .whileRunning();
    private static final ConfigKey<Map<String, GroupConfig>> GROUPS = ConfigKey.optional(
                    "groups", ConfigTypes.map(GroupConfig.schema(), 1000), "Groups of next hops, by name.")
            .whileRunning();
    private static final ConfigKey<Map<String, Trunk>> TRUNKS = ConfigKey.optional(
                    "trunks", ConfigTypes.map(Trunk.schema(), 1000), "Peers that are trusted by address, by name.")
            .whileRunning();
    private static final ConfigKey<Map<String, Credentials>> CREDENTIALS = ConfigKey.optional(
                    "credentials",
                    ConfigTypes.map(io.offhook.proxy.routing.Credentials.schema(), 1000),
                    "Credentials for peers that ask for them, by name.")
            .whileRunning();
    private static final ConfigKey<Map<String, RouterConfig>> ROUTERS = ConfigKey.optional(
                    "routers", ConfigTypes.map(RouterConfig.schema(), 64), "Routing logic of one's own, by name.")
            .whileRunning();
    private static final ConfigKey<RelayConfig> RELAY = ConfigKey.section(
                    "relay", RelayConfig.schema(), "Which requests to foreign domains are sent on.")
            .whileRunning();
    private static final ConfigKey<List<HeaderRule>> HEADERS = ConfigKey.repeated(
                    "headers", HeaderRule.schema(), 1000, "Changes of header fields.")
            .whileRunning();
    private static final ConfigKey<Boolean> HIDE_TOPOLOGY = ConfigKey.of(
            "hide-topology",
            ConfigTypes.bool(),
            "false",
            "Whether addresses of one side are hidden from the other: Via, Record-Route and Contact. Needs `sip.record-route`.");

    private static final List<ConfigKey<?>> KEYS =
            List.of(DOMAINS, RULES, GROUPS, TRUNKS, CREDENTIALS, ROUTERS, RELAY, HEADERS, HIDE_TOPOLOGY);

    /** The keys, for the schema of the whole file. */
    public static List<ConfigKey<?>> keys() {
        return KEYS;
    }

    /** Reads the values of {@link #keys} from the section that has them. */
    public static RoutingConfig of(ConfigValues values) {
        return new RoutingConfig(
                values.get(DOMAINS),
                values.get(RULES),
                new Peers(
                        named("group", GROUPS, values),
                        named("trunk", TRUNKS, values),
                        named("credentials", CREDENTIALS, values)),
                named("router", ROUTERS, values),
                values.get(RELAY),
                values.get(HEADERS),
                values.get(HIDE_TOPOLOGY));
    }

    /** Groups of next hops, by name. */
    public Map<String, GroupConfig> groups() {
        return peers.groups();
    }

    /** Trusted peers, by name. */
    public Map<String, Trunk> trunks() {
        return peers.trunks();
    }

    /** Credentials for peers that ask for them, by name. */
    public Map<String, Credentials> credentials() {
        return peers.credentials();
    }

    private static <T> Map<String, T> named(String what, ConfigKey<Map<String, T>> key, ConfigValues values) {
        @Nullable Map<String, T> map = values.find(key);
        if (map == null) {
            return Map.of();
        }
        Map<String, T> named = new LinkedHashMap<>();
        map.forEach((name, value) -> {
            if (!name.matches("[A-Za-z0-9_-]{1,32}")) {
                values.fault(key, "\"" + name + "\" is not a name of a " + what + ": 1 to 32 letters, digits, - and _");
            }
            named.put(name, value);
        });
        return java.util.Collections.unmodifiableMap(named);
    }
}
