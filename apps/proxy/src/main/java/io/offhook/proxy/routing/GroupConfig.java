package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.sip.SipUri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of next hops that do the same.
 *
 * @param select how the order of members is chosen for a call
 * @param members the members
 * @param failover when and how often another member is tried
 * @param rewritesHost whether the host of the request URI becomes that of the member
 * @param credentials the credentials with which challenges of members are answered; null for none
 * @param health how members are watched
 * @param place its place in the file
 */
public record GroupConfig(
        Select select,
        List<Member> members,
        Failover failover,
        boolean rewritesHost,
        @Nullable Placed<String> credentials,
        HealthConfig health,
        ConfigPlace place) {
    /**
     * When and how often another member is tried.
     *
     * @param on statuses of a member after which the next one is tried; transport errors always are such a reason
     * @param attempts the most members that are tried for a call
     */
    public record Failover(StatusSet on, int attempts) {}

    /** How the order of members is chosen. Members of a lower priority number always come first. */
    public enum Select {
        /** In turn, each as often as its weight says. */
        WEIGHTED,
        /** By the Call-ID: the same call always has the same order, and a member that comes or goes moves its share only. */
        HASH,
        /** The first one of the list that can be used. */
        FIRST
    }

    /**
     * A member.
     *
     * @param uri where it is reached
     * @param weight its share among members of the same priority, 1 to 100
     * @param priority 0 to 100; members with higher numbers are tried when those with lower ones cannot be used
     * @param place its place in the file
     */
    public record Member(SipUri uri, int weight, int priority, ConfigPlace place) {}

    /** The most members of a group. */
    public static final int MOST_MEMBERS = 64;

    private static final ConfigKey<SipUri> URI = ConfigKey.required(
            "uri", RoutingTypes.URI, "Where it is reached, such as sip:192.0.2.1:5060;transport=tcp.");
    private static final ConfigKey<Integer> WEIGHT =
            ConfigKey.of("weight", ConfigTypes.integer(1, 100), "1", "Its share among members of the same priority.");
    private static final ConfigKey<Integer> PRIORITY = ConfigKey.of(
            "priority",
            ConfigTypes.integer(0, 100),
            "0",
            "Members with higher numbers are used when none with a lower one can be.");
    private static final ConfigSchema<Member> MEMBER = ConfigSchema.of(
            "member",
            "A member of a group.",
            values -> new Member(values.get(URI), values.get(WEIGHT), values.get(PRIORITY), values.place()),
            URI,
            WEIGHT,
            PRIORITY);

    private static final ConfigKey<Select> SELECT = ConfigKey.of(
            "select",
            ConfigTypes.oneOf(Select.class),
            "weighted",
            "The order of members for a call: `weighted` in turn by weight, `hash` by Call-ID, `first` as listed.");
    private static final ConfigKey<List<Member>> MEMBERS =
            ConfigKey.required("members", ConfigTypes.list(MEMBER, MOST_MEMBERS), "The members.");
    private static final ConfigKey<StatusSet> FAILOVER = ConfigKey.of(
            "failover-on",
            RoutingTypes.STATUSES,
            "408 503",
            "Answers after which the next member is tried. Transport errors and silence always are such a reason.");
    private static final ConfigKey<Integer> ATTEMPTS = ConfigKey.of(
            "attempts", ConfigTypes.integer(1, MOST_MEMBERS), "3", "The most members that are tried for a call.");
    private static final ConfigKey<Boolean> REWRITE_HOST = ConfigKey.of(
            "rewrite-host",
            ConfigTypes.bool(),
            "false",
            "Whether the host of the request URI becomes that of the member, as many gateways expect.");
    private static final ConfigKey<Placed<String>> CREDENTIALS = ConfigKey.optional(
            "credentials",
            ConfigTypes.placed(RoutingTypes.NAME),
            "The credentials of `credentials` with which challenges of members are answered.");
    private static final ConfigKey<HealthConfig> HEALTH =
            ConfigKey.section("health", HealthConfig.schema(), "How members are watched.");

    private static final ConfigSchema<GroupConfig> SCHEMA = ConfigSchema.of(
            "group",
            "Next hops that do the same, such as the gateways of a carrier.",
            values -> {
                if (values.get(MEMBERS).isEmpty()) {
                    values.fault(MEMBERS, "has no member");
                }
                return new GroupConfig(
                        values.get(SELECT),
                        values.get(MEMBERS),
                        new Failover(values.get(FAILOVER), values.get(ATTEMPTS)),
                        values.get(REWRITE_HOST),
                        values.find(CREDENTIALS),
                        values.get(HEALTH),
                        values.place());
            },
            SELECT,
            MEMBERS,
            FAILOVER,
            ATTEMPTS,
            REWRITE_HOST,
            CREDENTIALS,
            HEALTH);

    /** Statuses of a member after which the next one is tried. */
    public StatusSet failoverOn() {
        return failover.on();
    }

    /** The most members that are tried for a call. */
    public int attempts() {
        return failover.attempts();
    }

    /** The keys. */
    public static ConfigSchema<GroupConfig> schema() {
        return SCHEMA;
    }
}
