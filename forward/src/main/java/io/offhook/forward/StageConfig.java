package io.offhook.forward;

import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.config.ConfigTypes.Rate;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stage as a configuration describes it. Ports are named; each name has its place. */
public sealed interface StageConfig {
    /** Where it stands. */
    ConfigPlace place();

    /** What cannot change while it runs, as text to compare. */
    String structure();

    /** Names of ports without their places. */
    private static List<String> names(List<Placed<String>> ports) {
        return ports.stream().map(Placed::value).toList();
    }

    /**
     * {@link DecodeStage}.
     *
     * @param place where it stands
     */
    record Decode(ConfigPlace place) implements StageConfig {
        @Override
        public String structure() {
            return "decode";
        }
    }

    /**
     * {@link FilterStage}.
     *
     * @param rules in their order
     * @param isAllowed whether a packet that none decides on passes
     * @param place where it stands
     */
    record Filter(List<FilterRule> rules, boolean isAllowed, ConfigPlace place) implements StageConfig {
        @Override
        public String structure() {
            return "filter";
        }
    }

    /**
     * A rule of a filter.
     *
     * @param action what is done
     * @param expression of pcap-filter(7)
     */
    record FilterRule(FilterStage.Action action, String expression) {}

    /**
     * {@link BridgeStage}.
     *
     * @param ports of the bridge; all where it is empty
     * @param tableSize addresses
     * @param ageingNs how long one is remembered, nanoseconds
     * @param addresses that neither move nor age
     * @param place where it stands
     */
    record Bridge(
            List<Placed<String>> ports, int tableSize, long ageingNs, List<StaticAddress> addresses, ConfigPlace place)
            implements StageConfig {
        @Override
        public String structure() {
            return "bridge " + names(ports) + " " + tableSize + " " + ageingNs;
        }
    }

    /**
     * An address that a bridge need not learn.
     *
     * @param linkAddress 48 bits
     * @param port where it is
     */
    record StaticAddress(long linkAddress, Placed<String> port) {}

    /**
     * {@link RouteStage}.
     *
     * @param ports of the router; all where it is empty
     * @param routes beyond those to the networks of its addresses
     * @param neighbors whose MAC address is known
     * @param neighborTableSize neighbours at most
     * @param neighborLifetimeNs how long one is believed, nanoseconds
     * @param icmpErrorsPerSecond at most
     * @param place where it stands
     */
    record Route(
            List<Placed<String>> ports,
            List<RouteConfig> routes,
            List<NeighborConfig> neighbors,
            int neighborTableSize,
            long neighborLifetimeNs,
            long icmpErrorsPerSecond,
            ConfigPlace place)
            implements StageConfig {
        @Override
        public String structure() {
            return "route " + names(ports) + " " + neighborTableSize + " " + neighborLifetimeNs + " "
                    + icmpErrorsPerSecond;
        }
    }

    /**
     * A route.
     *
     * @param to the destination
     * @param via the next hop; null where the destination is on the link, or refused
     * @param port by which; null where {@code via} tells, or it is refused
     * @param isRejected whether packets to it are refused
     * @param place where it stands
     */
    record RouteConfig(
            IpPrefix to,
            @Nullable IpPrefix via,
            @Nullable Placed<String> port,
            boolean isRejected,
            ConfigPlace place) {}

    /**
     * A neighbour whose MAC address is known.
     *
     * @param port behind which it is
     * @param address with its full length
     * @param linkAddress 48 bits
     * @param place where it stands
     */
    record NeighborConfig(Placed<String> port, IpPrefix address, long linkAddress, ConfigPlace place) {}

    /** By what rates are limited. */
    enum LimitBy {
        /** All packets of a port together. */
        PORT,
        /** Those of each source prefix. */
        SOURCE
    }

    /**
     * {@link RateLimitStage}.
     *
     * @param ports that packets come from; all where it is empty
     * @param rate for each
     * @param burstNs what may come at once: as much as the rate gives in that time, nanoseconds
     * @param by what is limited
     * @param ipv4Prefix bits of the source that tell IPv4 packets apart
     * @param ipv6Prefix likewise of IPv6
     * @param tableSize sources at a time
     * @param place where it stands
     */
    record RateLimit(
            List<Placed<String>> ports,
            Rate rate,
            long burstNs,
            LimitBy by,
            int ipv4Prefix,
            int ipv6Prefix,
            int tableSize,
            ConfigPlace place)
            implements StageConfig {
        @Override
        public String structure() {
            return "rate-limit " + names(ports) + " " + rate + " " + burstNs + " " + by + " " + ipv4Prefix + " "
                    + ipv6Prefix + " " + tableSize;
        }
    }

    /**
     * {@link MirrorStage}.
     *
     * @param file a pcapng file to be made
     * @param expression which packets; null for all
     * @param snapLength most bytes of each
     * @param queue packets that wait for the disk at most, a lane
     * @param place where it stands
     */
    record Mirror(Path file, @Nullable String expression, int snapLength, int queue, ConfigPlace place)
            implements StageConfig {
        @Override
        public String structure() {
            return "mirror " + file + " " + expression + " " + snapLength + " " + queue;
        }
    }

    /**
     * {@link VlanPushStage}.
     *
     * @param from ports that packets come from
     * @param to ports that packets go to
     * @param id of the VLAN
     * @param priority 0 to 7
     * @param isService whether the tag is a service provider's
     * @param place where it stands
     */
    record VlanPush(
            List<Placed<String>> from,
            List<Placed<String>> to,
            int id,
            int priority,
            boolean isService,
            ConfigPlace place)
            implements StageConfig {
        @Override
        public String structure() {
            return "vlan-push " + names(from) + " " + names(to) + " " + id + " " + priority + " " + isService;
        }
    }

    /**
     * {@link VlanPopStage}.
     *
     * @param from ports that packets come from
     * @param to ports that packets go to
     * @param id of the VLAN; 0 for any
     * @param isStrict whether packets without such a tag are dropped
     * @param place where it stands
     */
    record VlanPop(List<Placed<String>> from, List<Placed<String>> to, int id, boolean isStrict, ConfigPlace place)
            implements StageConfig {
        @Override
        public String structure() {
            return "vlan-pop " + names(from) + " " + names(to) + " " + id + " " + isStrict;
        }
    }

    /**
     * {@link NatStage}, by the translations of the configuration.
     *
     * @param isDestination whether it translates destinations of what comes from outside
     * @param outside the ports that are outside
     * @param place where it stands
     */
    record Nat(boolean isDestination, List<Placed<String>> outside, ConfigPlace place) implements StageConfig {
        @Override
        public String structure() {
            return (isDestination ? "nat-destination " : "nat-source ") + names(outside);
        }
    }
}
