package io.offhook.proxy.routing;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.proxy.limit.AddressBlock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks of routing's values that are valid individually but not together. */
public final class RoutingChecks {
    private final RoutingConfig config;
    private final Set<String> listeners;
    private final ConfigFaults faults;

    private RoutingChecks(RoutingConfig config, Collection<String> listeners, ConfigFaults faults) {
        this.config = config;
        this.listeners = Set.copyOf(listeners);
        this.faults = faults;
    }

    /**
     * Checks names that refer to other parts, and what could never apply.
     *
     * @param config the values
     * @param listeners the names of all listeners
     * @param faults takes what is wrong
     */
    public static void check(RoutingConfig config, Collection<String> listeners, ConfigFaults faults) {
        RoutingChecks checks = new RoutingChecks(config, listeners, faults);
        checks.rules();
        checks.trunks();
        config.groups().values().forEach(checks::group);
        config.headers().forEach(checks::headers);
    }

    /** Checks that jars and files of passwords can be read. */
    public static void checkMachine(RoutingConfig config, ConfigFaults faults) {
        config.routers().values().forEach(router -> readable(router.jar(), faults));
        config.credentials().values().forEach(credentials -> readable(credentials.passwordFile(), faults));
    }

    private static void readable(Placed<Path> file, ConfigFaults faults) {
        if (!Files.isReadable(file.value())) {
            faults.add(file.place(), file.value() + " cannot be read");
        }
    }

    private void rules() {
        Map<String, RouteRule> byName = new HashMap<>();
        @Nullable RouteRule last = null;
        for (RouteRule rule : config.rules()) {
            RouteRule before = rule.name().isEmpty() ? null : byName.putIfAbsent(rule.name(), rule);
            if (before != null) {
                faults.add(
                        rule.place(),
                        "rule name " + rule.name() + " is used twice; line "
                                + before.place().line() + " has it");
            }
            if (last != null) {
                faults.add(
                        rule.place(),
                        "is never reached: the rule in line " + last.place().line() + " is for all requests");
                last = null; // said once
            }
            boolean isFaulty = faults.has(rule.place().path() + ".match");
            if (!isFaulty && isForAll(rule.match()) && !mayFallThrough(rule.then())) {
                last = rule;
            }
            rule(rule);
        }
    }

    private boolean mayFallThrough(RouteAction action) {
        if (!(action instanceof RouteAction.Ask ask)) {
            return false;
        }
        RouterConfig router = config.routers().get(ask.router().value());
        return router == null || router.otherwise() == RouterConfig.Otherwise.NEXT_RULE;
    }

    private static boolean isForAll(RouteMatch match) {
        RouteMatch.Sender from = match.from();
        return match.prefix().isEmpty()
                && match.user() == null
                && match.domains().isEmpty()
                && match.toUs() == null
                && match.methods().isEmpty()
                && from.equals(new RouteMatch.Sender(null, List.of(), List.of(), List.of(), List.of(), null));
    }

    private void rule(RouteRule rule) {
        known(rule.match().from().trunks(), config.trunks().keySet(), "trunk", "trunks");
        known(rule.match().from().listeners(), listeners, "listener", "listeners");
        if (rule.credentials() != null) {
            known(List.of(rule.credentials()), config.credentials().keySet(), "credentials", "credentials");
        }
        switch (rule.then()) {
            case RouteAction.ToGroup to ->
                known(List.of(to.group()), config.groups().keySet(), "group", "groups");
            case RouteAction.Ask ask ->
                known(List.of(ask.router()), config.routers().keySet(), "router", "routers");
            default -> {}
        }
    }

    private void group(GroupConfig group) {
        if (group.credentials() != null) {
            known(List.of(group.credentials()), config.credentials().keySet(), "credentials", "credentials");
        }
        Map<String, ConfigPlace> uris = new HashMap<>();
        for (GroupConfig.Member member : group.members()) {
            ConfigPlace before = uris.putIfAbsent(member.uri().toString(), member.place());
            if (before != null) {
                faults.add(
                        member.place(),
                        "member " + member.uri() + " is listed twice; line " + before.line() + " has it: use weight");
            }
        }
    }

    private void trunks() {
        Map<AddressBlock, Placed<AddressBlock>> blocks = new HashMap<>();
        config.trunks().values().forEach(trunk -> {
            known(trunk.listeners(), listeners, "listener", "listeners");
            for (Placed<AddressBlock> source : trunk.sources()) {
                Placed<AddressBlock> before = blocks.putIfAbsent(source.value(), source);
                if (before != null) {
                    faults.add(
                            source.place(),
                            "source " + source.value() + " is used twice; line "
                                    + before.place().line() + " has it");
                }
            }
        });
    }

    private void headers(HeaderRule rule) {
        known(rule.fromTrunks(), config.trunks().keySet(), "trunk", "trunks");
        known(rule.toGroups(), config.groups().keySet(), "group", "groups");
    }

    private void known(List<Placed<String>> names, Set<String> all, String what, String key) {
        Set<String> seen = new HashSet<>();
        for (Placed<String> name : names) {
            if (!all.contains(name.value()) && !faults.has(key)) {
                String known = all.isEmpty()
                        ? "there are none"
                        : "there are " + String.join(", ", all.stream().sorted().toList());
                faults.add(name.place(), "there is no " + what + " " + name.value() + "; " + known);
            } else if (!seen.add(name.value())) {
                faults.add(name.place(), what + " " + name.value() + " is listed twice");
            }
        }
    }
}
