package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.sip.SipUri;
import java.util.List;

/** The keys of actions. */
final class RouteActions {
    private static final ConfigKey<Integer> STATUS =
            ConfigKey.required("status", ConfigTypes.integer(300, 699), "The status.");
    private static final ConfigKey<String> REASON =
            ConfigKey.optional("reason", ConfigTypes.text(100), "The reason phrase; default the usual one.");
    private static final ConfigKey<Placed<String>> GROUP =
            ConfigKey.required("name", ConfigTypes.placed(RoutingTypes.NAME), "A group of `groups`.");
    private static final ConfigKey<Placed<String>> ROUTER =
            ConfigKey.required("name", ConfigTypes.placed(RoutingTypes.NAME), "A router of `routers`.");
    private static final ConfigKey<List<List<SipUri>>> SETS = ConfigKey.required(
            "sets",
            ConfigTypes.list(ConfigTypes.list(RoutingTypes.URI, 16), 16),
            "Lists of URIs: those of a list at the same time, the lists one after the other. A URI without a user gets the"
                    + " dialled one.");

    static final ConfigType<RouteAction> TYPE = ConfigTypes.choice(List.of(
            ConfigSchema.of(
                    "reply",
                    "Answers the request.",
                    values -> {
                        String reason = values.find(REASON);
                        return new RouteAction.Answer(values.get(STATUS), reason == null ? "" : reason);
                    },
                    STATUS,
                    REASON),
            ConfigSchema.of(
                    "group",
                    "Sends the request to a member of a group.",
                    values -> new RouteAction.ToGroup(values.get(GROUP)),
                    GROUP),
            ConfigSchema.of(
                    "targets",
                    "Sends the request to URIs.",
                    values -> {
                        List<List<SipUri>> sets = values.get(SETS);
                        if (sets.isEmpty() || sets.stream().anyMatch(List::isEmpty)) {
                            values.fault(SETS, "has no target, or a list without one");
                        }
                        return new RouteAction.ToTargets(sets);
                    },
                    SETS),
            ConfigSchema.of("local", "Asks the location service.", _ -> new RouteAction.Locate()),
            ConfigSchema.of(
                    "relay",
                    "Sends the request on by its URI, if `relay` allows the address.",
                    _ -> new RouteAction.RelayOn()),
            ConfigSchema.of(
                    "router",
                    "Asks a router of one's own.",
                    values -> new RouteAction.Ask(values.get(ROUTER)),
                    ROUTER)));

    private RouteActions() {}
}
