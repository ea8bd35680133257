package io.offhook.forward.stage;

import io.offhook.forward.IpPrefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The routes and addresses of a router. Immutable: it is replaced as a whole. Addresses are two longs; an IPv4 address
 * is the first 32 bits.
 */
public final class RouteTable {
    /** The packet is for the router itself. */
    static final int LOCAL = -1;
    /** The destination is the broadcast address of a network (RFC 2644: not forwarded). */
    static final int BROADCAST = -2;
    /** The route rejects packets. */
    static final int REJECT = -3;

    /**
     * An address of the router.
     *
     * @param port its port
     * @param prefix the address, with the length of its network
     */
    public record Interface(int port, IpPrefix prefix) {}

    /**
     * A route.
     *
     * @param destination the network
     * @param port the output port; -1 to reject packets
     * @param gateway the next hop, an address with full length; null if the network is on the link
     */
    public record Route(
            IpPrefix destination, int port, @Nullable IpPrefix gateway) {}

    /**
     * A static neighbour.
     *
     * @param port its port
     * @param address its address, with full length
     * @param linkAddress its MAC address, 48 bits
     */
    public record Neighbor(int port, IpPrefix address, long linkAddress) {}

    private final PrefixTree ipv4;
    private final PrefixTree ipv6;
    private final int[] ports;
    private final boolean[] areOnLink;
    private final long[] gatewayHighs;
    private final long[] gatewayLows;
    private final long[] linkAddresses;
    private final IpPrefix[] interfacePrefixes;
    private final int[] interfacePorts;
    /** Further IPv4 addresses that it answers for, each in the bits below its port; sorted. */
    private final long[] answered;

    private RouteTable(Builder builder) {
        ipv4 = builder.ipv4.build();
        ipv6 = builder.ipv6.build();
        int count = builder.hops.size();
        ports = new int[count];
        areOnLink = new boolean[count];
        gatewayHighs = new long[count];
        gatewayLows = new long[count];
        linkAddresses = new long[count];
        for (int i = 0; i < count; i++) {
            Hop hop = builder.hops.get(i);
            ports[i] = hop.port();
            areOnLink[i] = hop.isOnLink();
            gatewayHighs[i] = hop.high();
            gatewayLows[i] = hop.low();
            linkAddresses[i] = hop.linkAddress();
        }
        interfacePrefixes = builder.interfaces.stream().map(Interface::prefix).toArray(IpPrefix[]::new);
        interfacePorts = builder.interfaces.stream().mapToInt(Interface::port).toArray();
        answered = builder.answered.stream()
                .mapToLong(address -> answer(address.port(), address.prefix().high()))
                .sorted()
                .toArray();
    }

    private static long answer(int port, long high) {
        return (long) port << 32 | high >>> 32;
    }

    private record Hop(int port, boolean isOnLink, long high, long low, long linkAddress) {}

    /**
     * Creates a table of a router's addresses, routes and static neighbours. The networks of its addresses are routes,
     * too; of equal prefixes the last one applies.
     */
    public static RouteTable of(List<Interface> interfaces, List<Route> routes, List<Neighbor> neighbors) {
        return of(interfaces, routes, neighbors, List.of());
    }

    /**
     * As {@link #of(List, List, List)}, with further IPv4 addresses that the router answers for: outside addresses of
     * translations, each with its port.
     */
    public static RouteTable of(
            List<Interface> interfaces, List<Route> routes, List<Neighbor> neighbors, List<Interface> answered) {
        return new RouteTable(new Builder(interfaces, routes, neighbors, answered));
    }

    private static final class Builder {
        private final PrefixTree.Builder ipv4 = new PrefixTree.Builder();
        private final PrefixTree.Builder ipv6 = new PrefixTree.Builder();
        private final List<Hop> hops = new ArrayList<>();
        private final Map<Hop, Integer> known = new HashMap<>();
        private final List<Interface> interfaces;
        private final List<Interface> answered;

        Builder(List<Interface> interfaces, List<Route> routes, List<Neighbor> neighbors, List<Interface> answered) {
            this.interfaces = List.copyOf(interfaces);
            this.answered = List.copyOf(answered);
            Map<IpPrefix, Long> linkAddresses = new HashMap<>();
            for (Neighbor neighbor : neighbors) {
                linkAddresses.put(neighbor.address(), neighbor.linkAddress());
            }
            for (Interface address : interfaces) {
                add(address.prefix(), new Hop(address.port(), true, 0, 0, 0));
            }
            for (Route route : routes) {
                IpPrefix gateway = route.gateway();
                if (route.port() < 0) {
                    add(route.destination(), new Hop(REJECT, true, 0, 0, 0));
                } else if (gateway == null) {
                    add(route.destination(), new Hop(route.port(), true, 0, 0, 0));
                } else {
                    long linkAddress = linkAddresses.getOrDefault(gateway, 0L);
                    add(route.destination(), new Hop(route.port(), false, gateway.high(), gateway.low(), linkAddress));
                }
            }
            for (Neighbor neighbor : neighbors) {
                add(neighbor.address(), new Hop(neighbor.port(), true, 0, 0, neighbor.linkAddress()));
            }
            for (Interface address : interfaces) {
                addOwn(address.prefix());
            }
            for (Interface address : answered) {
                add(address.prefix(), new Hop(LOCAL, true, 0, 0, 0));
            }
        }

        private void addOwn(IpPrefix prefix) {
            int full = prefix.isIpv4() ? 32 : 128;
            if (prefix.isIpv4() && prefix.length() <= 30) {
                IpPrefix network = prefix.network();
                long hosts = 0xffff_ffffL >>> prefix.length() << 32;
                add(new IpPrefix(network.high(), 0, 32, true), new Hop(BROADCAST, true, 0, 0, 0));
                add(new IpPrefix(network.high() | hosts, 0, 32, true), new Hop(BROADCAST, true, 0, 0, 0));
            }
            add(new IpPrefix(prefix.high(), prefix.low(), full, prefix.isIpv4()), new Hop(LOCAL, true, 0, 0, 0));
        }

        private void add(IpPrefix prefix, Hop hop) {
            int index = known.computeIfAbsent(hop, fresh -> {
                hops.add(fresh);
                return hops.size() - 1;
            });
            (prefix.isIpv4() ? ipv4 : ipv6).add(prefix.high(), prefix.low(), prefix.length(), index);
        }
    }

    /** The hop for an IPv4 address, given in the first 32 bits, or {@link PrefixTree#NONE}. */
    int findIpv4(long high) {
        return ipv4.find(high, 0);
    }

    int findIpv6(long high, long low) {
        return ipv6.find(high, low);
    }

    /** The port of a hop, or {@link #LOCAL}, {@link #BROADCAST}, {@link #REJECT}. */
    int port(int hop) {
        return ports[hop];
    }

    /** The address of the next hop: the gateway, or the destination itself. */
    long nextHigh(int hop, long destinationHigh) {
        return areOnLink[hop] ? destinationHigh : gatewayHighs[hop];
    }

    long nextLow(int hop, long destinationLow) {
        return areOnLink[hop] ? destinationLow : gatewayLows[hop];
    }

    /** The static MAC address of the next hop; 0 if there is none. */
    long linkAddress(int hop) {
        return linkAddresses[hop];
    }

    /**
     * The router's source address at a port: the one in the network of an address, or else the first of its family.
     *
     * @return an index for {@link #addressHigh}, or -1 if it has none
     */
    int address(int port, boolean isIpv4, long high, long low) {
        int first = -1;
        for (int i = 0; i < interfacePorts.length; i++) {
            IpPrefix prefix = interfacePrefixes[i];
            if (interfacePorts[i] == port && prefix.isIpv4() == isIpv4) {
                if (isIn(prefix, high, low)) {
                    return i;
                }
                first = first < 0 ? i : first;
            }
        }
        return first;
    }

    /** Whether the router has an address at a port, or answers for it; on a hot path use {@link #port}. */
    boolean isOwn(int port, boolean isIpv4, long high, long low) {
        for (int i = 0; i < interfacePorts.length; i++) {
            IpPrefix prefix = interfacePrefixes[i];
            if (interfacePorts[i] == port
                    && prefix.isIpv4() == isIpv4
                    && prefix.high() == high
                    && prefix.low() == low) {
                return true;
            }
        }
        return isIpv4 && Arrays.binarySearch(answered, answer(port, high)) >= 0;
    }

    /** Whether an address is in a network of the router at a port. */
    boolean isOnLink(int port, boolean isIpv4, long high, long low) {
        int i = address(port, isIpv4, high, low);
        return i >= 0 && isIn(interfacePrefixes[i], high, low);
    }

    private static boolean isIn(IpPrefix prefix, long high, long low) {
        int length = prefix.length();
        long highMask = length >= 64 ? -1L : length == 0 ? 0 : -1L << 64 - length;
        long lowMask = length >= 128 ? -1L : length <= 64 ? 0 : -1L << 128 - length;
        return ((prefix.high() ^ high) & highMask) == 0 && ((prefix.low() ^ low) & lowMask) == 0;
    }

    long addressHigh(int i) {
        return interfacePrefixes[i].high();
    }

    long addressLow(int i) {
        return interfacePrefixes[i].low();
    }

    /** The size of the prefix trees in bytes. */
    public long memoryBytes() {
        return ipv4.memoryBytes() + ipv6.memoryBytes();
    }
}
