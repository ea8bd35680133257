package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.B;
import static io.offhook.filter.BpfOpcode.H;
import static io.offhook.filter.Loads.Base.BEHIND_IPV4;
import static io.offhook.filter.Loads.Base.BEHIND_IPV6;
import static io.offhook.filter.Loads.Base.NETWORK;

import io.offhook.filter.Qualifiers.Direction;

/**
 * Tests of TCP, UDP and SCTP ports. Non-first fragments of IPv4 never match; for IPv6, only the protocol right after
 * the fixed header is tested.
 */
final class Ports {
    /** Any of TCP, UDP and SCTP. */
    static final int ANY = -1;

    static final int TCP = 6;
    static final int UDP = 17;
    static final int SCTP = 132;

    private static final int SOURCE = 0;
    private static final int DESTINATION = 2;

    private final Loads loads;
    private final LinkTypes linkTypes;
    private final LinkPosition state;

    Ports(Loads loads, LinkTypes linkTypes, LinkPosition state) {
        this.loads = loads;
        this.linkTypes = linkTypes;
        this.state = state;
    }

    /** Not a fragment, or the first fragment. */
    Condition isFirstFragment() {
        return loads.hasBits(NETWORK, 6, H, 0x1fff).not();
    }

    /** A single port ({@code first} equals {@code last}), or a range. */
    Condition ports(int first, int last, boolean isRange, int protocol, Direction direction) {
        Condition inIpv4 = ipv4(first, last, isRange, protocol, direction);
        return ipv6(first, last, isRange, protocol, direction).or(inIpv4);
    }

    Condition ipv4(int first, int last, boolean isRange, int protocol, Direction direction) {
        return ofIp(new Range(first, last, isRange), LinkTypes.IP, protocol, direction);
    }

    Condition ipv6(int first, int last, boolean isRange, int protocol, Direction direction) {
        return ofIp(new Range(first, last, isRange), LinkTypes.IPV6, protocol, direction);
    }

    private record Range(int first, int last, boolean isRange) {}

    private Condition ofIp(Range range, int etherType, int protocol, Direction direction) {
        Condition type = linkTypes.is(etherType);
        if (protocol != ANY) {
            return type.and(ofTransport(range, etherType, protocol, direction));
        }
        Condition tcp = ofTransport(range, etherType, TCP, direction);
        Condition both = tcp.or(ofTransport(range, etherType, UDP, direction));
        return type.and(ofTransport(range, etherType, SCTP, direction).or(both));
    }

    private Condition ofTransport(Range range, int etherType, int protocol, Direction direction) {
        Loads.Base base = etherType == LinkTypes.IP ? BEHIND_IPV4 : BEHIND_IPV6;
        Condition transport = loads.equal(NETWORK, etherType == LinkTypes.IP ? 9 : 6, B, protocol);
        if (etherType == LinkTypes.IP) {
            transport = transport.and(isFirstFragment());
        }
        return switch (direction) {
            case SRC -> transport.and(port(base, SOURCE, range));
            case DST -> transport.and(port(base, DESTINATION, range));
            case SRC_AND_DST -> {
                Condition source = port(base, SOURCE, range);
                yield transport.and(source.and(port(base, DESTINATION, range)));
            }
            case ANY, SRC_OR_DST -> {
                Condition source = port(base, SOURCE, range);
                yield transport.and(source.or(port(base, DESTINATION, range)));
            }
            default -> throw state.error(direction.notFor(range.isRange ? "port ranges" : "ports"));
        };
    }

    private Condition port(Loads.Base base, int offset, Range range) {
        if (!range.isRange) {
            return loads.equal(base, offset, H, range.first);
        }
        Condition least = loads.atLeast(base, offset, H, Math.min(range.first, range.last));
        return least.and(loads.atMost(base, offset, H, Math.max(range.first, range.last)));
    }
}
