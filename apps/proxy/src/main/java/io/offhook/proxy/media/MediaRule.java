package io.offhook.proxy.media;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls whose media are relayed. All conditions must be fulfilled.
 *
 * @param fromTrunks trunks that the INVITE came from, one of them; empty for any source
 * @param toGroups groups that it goes to, one of them; empty for any target
 * @param isBehindNat whether only calls from or to phones behind NAT are meant
 * @param profile the name of the profile; null for the usual one
 */
public record MediaRule(
        List<Placed<String>> fromTrunks,
        List<Placed<String>> toGroups,
        boolean isBehindNat,
        @Nullable Placed<String> profile) {
    private static final ConfigType<String> NAME = ConfigTypes.scalar("name, letters, digits, - and _", text -> {
        if (!text.matches("[A-Za-z0-9_-]{1,32}")) {
            throw new IllegalArgumentException("\"" + text + "\" is not a name of 1 to 32 letters, digits, - and _");
        }
        return text;
    });
    private static final ConfigKey<List<Placed<String>>> FROM_TRUNKS = ConfigKey.repeated(
            "from-trunks",
            ConfigTypes.placed(NAME),
            100,
            "Trunks that the INVITE came from, one of them; default any source.");
    private static final ConfigKey<List<Placed<String>>> TO_GROUPS = ConfigKey.repeated(
            "to-groups",
            ConfigTypes.placed(NAME),
            100,
            "Groups that the INVITE goes to, one of them; default any target.");
    private static final ConfigKey<Boolean> BEHIND_NAT = ConfigKey.of(
            "behind-nat",
            ConfigTypes.bool(),
            "false",
            "Only calls from a phone behind NAT, or to one: it is not where its Via says, or registered over a connection.");
    private static final ConfigKey<Placed<String>> PROFILE = ConfigKey.optional(
            "profile", ConfigTypes.placed(NAME), "One of `profiles`; default `profile`, the usual one.");

    private static final ConfigSchema<MediaRule> SCHEMA = ConfigSchema.of(
            "media-rule",
            "Calls whose media are relayed. The first rule that is for a call decides.",
            values -> new MediaRule(
                    values.get(FROM_TRUNKS), values.get(TO_GROUPS), values.get(BEHIND_NAT), values.find(PROFILE)),
            FROM_TRUNKS,
            TO_GROUPS,
            BEHIND_NAT,
            PROFILE);

    static ConfigSchema<MediaRule> schema() {
        return SCHEMA;
    }

    boolean isFor(String trunk, String group, boolean isCallBehindNat) {
        return isOne(fromTrunks, trunk) && isOne(toGroups, group) && (isCallBehindNat || !isBehindNat);
    }

    private static boolean isOne(List<Placed<String>> names, String name) {
        return names.isEmpty()
                || names.stream().anyMatch(placed -> placed.value().equals(name));
    }
}
