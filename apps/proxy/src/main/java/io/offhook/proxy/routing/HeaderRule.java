package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of header fields for many messages at once. All rules that are for a message apply, in their order.
 *
 * @param on the messages
 * @param fromTrunks trunks that the request came from; empty for any source
 * @param toGroups groups that the request goes to; empty for any target
 * @param methods methods of the request; empty for all
 * @param changes the changes
 */
public record HeaderRule(
        Messages on,
        List<Placed<String>> fromTrunks,
        List<Placed<String>> toGroups,
        List<String> methods,
        List<HeaderChange> changes) {
    /** The messages that are changed, as they are sent on. */
    public enum Messages {
        /** Requests. */
        REQUESTS,
        /** Responses to them. */
        RESPONSES,
        /** Both. */
        BOTH
    }

    private static final ConfigKey<Messages> ON =
            ConfigKey.of("on", ConfigTypes.oneOf(Messages.class), "requests", "The messages that are changed.");
    private static final ConfigKey<List<Placed<String>>> FROM_TRUNKS = ConfigKey.repeated(
            "from-trunks",
            ConfigTypes.placed(RoutingTypes.NAME),
            100,
            "Trunks that the request came from, one of them; default any source.");
    private static final ConfigKey<List<Placed<String>>> TO_GROUPS = ConfigKey.repeated(
            "to-groups",
            ConfigTypes.placed(RoutingTypes.NAME),
            100,
            "Groups that the request goes to, one of them; default any target.");
    private static final ConfigKey<List<String>> METHODS =
            ConfigKey.repeated("methods", RoutingTypes.METHOD, 32, "Methods of the request, one of them; default all.");

    private static final ConfigSchema<HeaderRule> SCHEMA = ConfigSchema.of(
            "header-rule",
            "Changes of header fields. All rules that are for a message apply, in their order.",
            values -> {
                List<HeaderChange> changes = HeaderChanges.read(values);
                if (changes.isEmpty() && !values.isGiven(HeaderChanges.REPLACE) && !values.isGiven(HeaderChanges.ADD)) {
                    values.fault(
                            HeaderChanges.REMOVE, "is missing, and so are replace and add: the rule changes nothing");
                }
                return new HeaderRule(
                        values.get(ON), values.get(FROM_TRUNKS), values.get(TO_GROUPS), values.get(METHODS), changes);
            },
            ON,
            FROM_TRUNKS,
            TO_GROUPS,
            METHODS,
            HeaderChanges.REMOVE,
            HeaderChanges.REPLACE,
            HeaderChanges.ADD);

    /** The keys. */
    public static ConfigSchema<HeaderRule> schema() {
        return SCHEMA;
    }

    /**
     * The changes of some rules for a message.
     *
     * @param rules the rules
     * @param messages {@link Messages#REQUESTS} or {@link Messages#RESPONSES}
     * @param method the method of the request
     * @param trunk the trunk that the request came from; "" for none
     * @param group the group that it goes to; "" for none
     */
    public static List<HeaderChange> changes(
            List<HeaderRule> rules, Messages messages, String method, String trunk, String group) {
        if (rules.isEmpty()) {
            return List.of();
        }
        @Nullable List<HeaderChange> changes = null;
        for (HeaderRule rule : rules) {
            if ((rule.on == Messages.BOTH || rule.on == messages)
                    && (rule.methods.isEmpty() || rule.methods.contains(method))
                    && isOne(rule.fromTrunks, trunk)
                    && isOne(rule.toGroups, group)) {
                changes = changes == null ? new ArrayList<>() : changes;
                changes.addAll(rule.changes);
            }
        }
        return changes == null ? List.of() : changes;
    }

    private static boolean isOne(List<Placed<String>> names, String name) {
        return names.isEmpty()
                || names.stream().anyMatch(placed -> placed.value().equals(name));
    }
}
