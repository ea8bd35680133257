package io.offhook.proxy.routing;

import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.sip.SipUri;
import java.util.List;

/** What a rule does with the requests that it is for. */
public sealed interface RouteAction {
    /**
     * Answers.
     *
     * @param status 300 to 699
     * @param reason the reason phrase; "" for the usual one
     */
    record Answer(int status, String reason) implements RouteAction {}

    /** Sends on by the request URI. */
    record RelayOn() implements RouteAction {}

    /** Asks the location service. */
    record Locate() implements RouteAction {}

    /**
     * Sends to a member of a group.
     *
     * @param group the name of the group
     */
    record ToGroup(Placed<String> group) implements RouteAction {}

    /**
     * Sends to targets. A target without a user gets that of the request URI.
     *
     * @param sets targets that are tried at the same time, sets that are tried one after the other
     */
    record ToTargets(List<List<SipUri>> sets) implements RouteAction {}

    /**
     * Asks the routing logic of a user.
     *
     * @param router the name of the router
     */
    record Ask(Placed<String> router) implements RouteAction {}

    /** The type of an action in a configuration. */
    static ConfigType<RouteAction> type() {
        return RouteActions.TYPE;
    }
}
