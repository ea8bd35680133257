package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.proxy.limit.AddressBlock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a rule is for: those that fulfil all of its conditions. Empty lists, "" and null are no condition.
 *
 * @param prefix what the dialled number begins with
 * @param user a pattern for the whole dialled number or name
 * @param domains domains of the request URI
 * @param toUs whether the request URI is one of our domains
 * @param from what is known of the sender
 * @param methods methods of requests
 */
public record RouteMatch(
        String prefix,
        @Nullable UserPattern user,
        List<DomainName> domains,
        @Nullable Boolean toUs,
        Sender from,
        List<String> methods) {
    /**
     * Conditions for the sender of a request.
     *
     * @param user a pattern for the whole user part of From
     * @param domains domains of From
     * @param trunks names of trusted trunks
     * @param listeners names of listeners that received it
     * @param sources addresses that it came from
     * @param isAuthenticated whether a user has authenticated himself
     */
    public record Sender(
            @Nullable UserPattern user,
            List<DomainName> domains,
            List<Placed<String>> trunks,
            List<Placed<String>> listeners,
            List<AddressBlock> sources,
            @Nullable Boolean isAuthenticated) {
        boolean matches(RouteQuery query) {
            return (isAuthenticated == null || isAuthenticated != query.user().isEmpty())
                    && (trunks.isEmpty() || contains(trunks, query.trunk()))
                    && (listeners.isEmpty()
                            || contains(listeners, query.source().listener()))
                    && (sources.isEmpty() || isFromOne(query))
                    && (domains.isEmpty() || domains.stream().anyMatch(domain -> domain.matches(query.from())))
                    && (user == null || user.match(query.fromUser()) != null);
        }

        private boolean isFromOne(RouteQuery query) {
            return AddressBlock.isInOne(
                    sources,
                    query.source().address().high(),
                    query.source().address().low());
        }

        private static boolean contains(List<Placed<String>> names, String name) {
            return names.stream().anyMatch(placed -> placed.value().equals(name));
        }
    }

    private static final ConfigKey<String> PREFIX =
            ConfigKey.optional("prefix", ConfigTypes.text(64), "What the dialled number begins with, such as \"00\".");
    private static final ConfigKey<UserPattern> USER = ConfigKey.optional(
            "user", UserPattern.TYPE, "The whole dialled number or name, such as \"0([1-9][0-9]+)\".");
    private static final ConfigKey<List<DomainName>> DOMAINS =
            ConfigKey.repeated("domains", DomainName.TYPE, 100, "Domains of the request URI, one of them.");
    private static final ConfigKey<Boolean> TO_US =
            ConfigKey.optional("to-us", ConfigTypes.bool(), "Whether the request URI is one of our domains.");
    private static final ConfigKey<UserPattern> FROM_USER =
            ConfigKey.optional("from-user", UserPattern.TYPE, "The whole user part of From.");
    private static final ConfigKey<List<DomainName>> FROM_DOMAINS =
            ConfigKey.repeated("from-domains", DomainName.TYPE, 100, "Domains of From, one of them.");
    private static final ConfigKey<List<Placed<String>>> TRUNKS = ConfigKey.repeated(
            "trunks", ConfigTypes.placed(RoutingTypes.NAME), 100, "Trunks that the request came from, one of them.");
    private static final ConfigKey<List<Placed<String>>> LISTENERS = ConfigKey.repeated(
            "listeners", ConfigTypes.placed(RoutingTypes.NAME), 64, "Listeners that received it, one of them.");
    private static final ConfigKey<List<AddressBlock>> SOURCES =
            ConfigKey.repeated("sources", AddressBlock.TYPE, 100, "Addresses that it came from, one of them.");
    private static final ConfigKey<Boolean> AUTHENTICATED =
            ConfigKey.optional("authenticated", ConfigTypes.bool(), "Whether a user has authenticated himself.");
    private static final ConfigKey<List<String>> METHODS =
            ConfigKey.repeated("methods", RoutingTypes.METHOD, 32, "Methods, one of them.");

    private static final ConfigSchema<RouteMatch> SCHEMA = ConfigSchema.of(
            "match",
            "The requests that a rule is for: those that fulfil all conditions. Without any, all requests.",
            values -> new RouteMatch(
                    orEmpty(values.find(PREFIX)),
                    values.find(USER),
                    values.get(DOMAINS),
                    values.find(TO_US),
                    new Sender(
                            values.find(FROM_USER),
                            values.get(FROM_DOMAINS),
                            values.get(TRUNKS),
                            values.get(LISTENERS),
                            values.get(SOURCES),
                            values.find(AUTHENTICATED)),
                    values.get(METHODS)),
            PREFIX,
            USER,
            DOMAINS,
            TO_US,
            FROM_USER,
            FROM_DOMAINS,
            TRUNKS,
            LISTENERS,
            SOURCES,
            AUTHENTICATED,
            METHODS);

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** The keys. */
    public static ConfigSchema<RouteMatch> schema() {
        return SCHEMA;
    }

    /**
     * Whether a request fulfils all conditions but that of the pattern for the dialled number.
     *
     * @param query the request
     * @param isToUs whether its URI is of one of our domains
     */
    boolean matchesBesideUser(RouteQuery query, boolean isToUs) {
        return (methods.isEmpty() || methods.contains(query.method()))
                && (toUs == null || toUs == isToUs)
                && query.dialled().startsWith(prefix)
                && (domains.isEmpty() || domains.stream().anyMatch(domain -> domain.matches(query.uri())))
                && from.matches(query);
    }
}
