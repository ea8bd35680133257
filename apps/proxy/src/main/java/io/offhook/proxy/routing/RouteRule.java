package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule: the first one that is for a request decides where it goes.
 *
 * @param name its name in figures and logs; "" for its place in the list
 * @param match the requests that it is for
 * @param rewrite how the request URI is changed
 * @param then what is done
 * @param headers changes of header fields of the branches
 * @param credentials the credentials with which a challenge of the target is answered; null for those of the group, or none
 * @param place its place in the file
 */
public record RouteRule(
        String name,
        RouteMatch match,
        Rewriting rewrite,
        RouteAction then,
        List<HeaderChange> headers,
        @Nullable Placed<String> credentials,
        ConfigPlace place) {
    private static final ConfigKey<String> NAME =
            ConfigKey.optional("name", RoutingTypes.NAME, "Its name in figures and logs; default its number.");
    private static final ConfigKey<RouteMatch> MATCH =
            ConfigKey.section("match", RouteMatch.schema(), "The requests that it is for; default all.");
    private static final ConfigKey<Rewriting> REWRITE =
            ConfigKey.section("rewrite", Rewriting.schema(), "How the request URI is changed.");
    private static final ConfigKey<RouteAction> THEN =
            ConfigKey.required("then", RouteAction.type(), "What is done with them.");
    private static final ConfigKey<List<HeaderChange>> HEADERS =
            ConfigKey.section("headers", HeaderChanges.schema(), "Changes of header fields of what is sent on.");
    private static final ConfigKey<Placed<String>> CREDENTIALS = ConfigKey.optional(
            "credentials",
            ConfigTypes.placed(RoutingTypes.NAME),
            "The credentials of `credentials` with which a challenge of the target is answered.");

    private static final ConfigSchema<RouteRule> SCHEMA = ConfigSchema.of(
            "rule",
            "A rule. The first one that is for a request decides; without one, requests to our domains are `local`, others"
                    + " are `relay`.",
            values -> {
                RouteMatch match = values.get(MATCH);
                Rewriting rewrite = values.get(REWRITE);
                int groups = match.user() == null ? 0 : match.user().groups();
                if (rewrite.groups() > groups) {
                    values.fault(
                            REWRITE,
                            "replace uses group $" + rewrite.groups() + ", but match.user has " + groups + " groups");
                }
                RouteAction then = values.get(THEN);
                boolean isSentOn = !(then instanceof RouteAction.Answer || then instanceof RouteAction.Locate);
                if (!values.get(HEADERS).isEmpty() && (!isSentOn || then instanceof RouteAction.Ask)) {
                    values.fault(HEADERS, "has no effect: the rule itself sends nothing on");
                }
                if (values.isGiven(REWRITE) && then instanceof RouteAction.Answer) {
                    values.fault(REWRITE, "has no effect: the rule answers the request");
                }
                String name = values.find(NAME);
                return new RouteRule(
                        name == null ? "" : name,
                        match,
                        rewrite,
                        then,
                        values.get(HEADERS),
                        values.find(CREDENTIALS),
                        values.place());
            },
            NAME,
            MATCH,
            REWRITE,
            THEN,
            HEADERS,
            CREDENTIALS);

    /** The keys. */
    public static ConfigSchema<RouteRule> schema() {
        return SCHEMA;
    }
}
