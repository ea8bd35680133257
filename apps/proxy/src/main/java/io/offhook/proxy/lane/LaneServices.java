package io.offhook.proxy.lane;

import io.offhook.sip.proxy.HopResolver;
import io.offhook.sip.proxy.ProxyPolicy;
import java.util.function.Consumer;

/**
 * What lanes ask of the rest of the proxy.
 *
 * @param policies makes the policy of each lane
 * @param resolvers makes the resolver of each lane
 * @param streams sends over connections
 * @param failures is told of exceptions, which are bugs
 */
public record LaneServices(
        Factory<ProxyPolicy> policies,
        Factory<HopResolver> resolvers,
        StreamOutput streams,
        Consumer<Throwable> failures) {
    /** Makes what belongs to a lane. */
    @FunctionalInterface
    public interface Factory<T> {
        /** Called once for each lane, before it is started; results that come later are given to {@link ProxyLane#execute}. */
        T create(ProxyLane lane);
    }
}
