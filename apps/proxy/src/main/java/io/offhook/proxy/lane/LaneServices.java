package io.offhook.proxy.lane;

import io.offhook.proxy.limit.OverloadConfig;
import io.offhook.proxy.statistics.LaneStatistics;
import io.offhook.sip.proxy.HopResolver;
import io.offhook.sip.proxy.ProxyPolicy;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * What lanes ask of the rest of the proxy.
 *
 * @param policies makes the policy of each lane
 * @param resolvers makes the resolver of each lane
 * @param streams sends over connections
 * @param isIgnored says which sources are not listened to
 * @param failures is told of exceptions, which are bugs
 * @param statistics what each lane counts, by its number
 * @param overload when new requests are refused
 */
public record LaneServices(
        Factory<ProxyPolicy> policies,
        Factory<HopResolver> resolvers,
        StreamOutput streams,
        SourceFilter isIgnored,
        Consumer<Throwable> failures,
        IntFunction<LaneStatistics> statistics,
        OverloadConfig overload) {
    /** Says which sources are not listened to. Called for each datagram; thread-safe. */
    @FunctionalInterface
    public interface SourceFilter {
        /** Whether to drop what comes from an address, as {@link io.offhook.packet.IpAddress} has it. */
        boolean test(long high, long low);
    }

    /**
     * Makes what belongs to a lane.
     *
     * @param <T> what is made
     */
    @FunctionalInterface
    public interface Factory<T> {
        /** Called once for each lane, before it is started; results that come later are given to {@link ProxyLane#execute}. */
        T create(ProxyLane lane);
    }
}
