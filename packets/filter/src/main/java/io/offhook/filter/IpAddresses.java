package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.*;
import static io.offhook.filter.Loads.Base.NETWORK;

import io.offhook.filter.Qualifiers.Direction;
import java.util.function.IntFunction;

/** Tests of network addresses: IPv4 (also in ARP and RARP), IPv6 and DECnet. */
final class IpAddresses {
    private final LinkPosition state;
    private final Loads loads;
    private final LinkTypes linkTypes;

    IpAddresses(LinkPosition state, Loads loads, LinkTypes linkTypes) {
        this.state = state;
        this.loads = loads;
        this.linkTypes = linkTypes;
    }

    /** @param noun host or net, for messages */
    Condition ipv4(int address, int mask, KeywordProtocol protocol, Direction direction, String noun) {
        return switch (protocol) {
            case ANY -> {
                Condition ip = ipv4(address, mask, KeywordProtocol.IP, direction, noun);
                if (state.labels > 0) {
                    yield ip;
                }
                Condition withArp = ip.or(ipv4(address, mask, KeywordProtocol.ARP, direction, noun));
                yield withArp.or(ipv4(address, mask, KeywordProtocol.RARP, direction, noun));
            }
            case IP -> ipv4(address, mask, LinkTypes.IP, direction, 12, 16);
            case ARP -> ipv4(address, mask, LinkTypes.ARP, direction, 14, 24);
            case RARP -> ipv4(address, mask, LinkTypes.RARP, direction, 14, 24);
            case DECNET -> decnet(address, direction);
            case LINK -> throw state.error("link-layer modifier applied to " + noun);
            case ATALK -> throw state.error("AppleTalk host filtering not implemented");
            case LAT, SCA, MOPRC, MOPDL, AARP, ISO, IPX ->
                throw state.error(protocol.name() + " host filtering not implemented");
            case IP6 -> throw state.error("'ip6' modifier applied to ip host");
            default -> throw state.error("'" + protocol.word() + "' modifier applied to " + noun);
        };
    }

    private Condition ipv4(int address, int mask, int etherType, Direction direction, int source, int destination) {
        return byDirection(direction, source, destination, offset -> {
            Condition type = linkTypes.is(etherType);
            return type.and(loads.masked(NETWORK, offset, W, address, mask));
        });
    }

    Condition ipv6(int[] address, int[] mask, KeywordProtocol protocol, Direction direction, String noun) {
        return switch (protocol) {
            case ANY, IP6 ->
                byDirection(direction, 8, 24, offset -> {
                    Condition words = word(address, mask, offset, 3);
                    for (int i = 2; i >= 0; i--) {
                        words = word(address, mask, offset, i).and(words);
                    }
                    return linkTypes.is(LinkTypes.IPV6).and(words);
                });
            case LINK -> throw state.error("link-layer modifier applied to ip6 " + noun);
            case ATALK -> throw state.error("AppleTalk modifier applied to ip6 " + noun);
            default -> throw state.error("'" + protocol.word() + "' modifier applied to ip6 " + noun);
        };
    }

    private Condition word(int[] address, int[] mask, int offset, int i) {
        return loads.masked(NETWORK, offset + 4 * i, W, address[i], mask[i]);
    }

    private Condition byDirection(Direction direction, int source, int destination, IntFunction<Condition> test) {
        return switch (direction) {
            case SRC -> test.apply(source);
            case DST -> test.apply(destination);
            case SRC_AND_DST -> {
                Condition first = test.apply(source);
                yield first.and(test.apply(destination));
            }
            case ANY, SRC_OR_DST -> {
                Condition first = test.apply(source);
                yield first.or(test.apply(destination));
            }
            default -> throw state.error(direction.notFor("addresses other than 802.11 MAC addresses"));
        };
    }

    /**
     * The address of a node, little-endian, in data packets with a long or a short header and with or without a byte of
     * padding (DECnet Phase IV routing, 10.3).
     */
    private Condition decnet(int address, Direction direction) {
        int swapped = (address & 0xff) << 8 | address >> 8 & 0xff;
        return byDirection(direction, 3 << 8 | 15, 1 << 8 | 7, offsets -> {
            int inShort = offsets >> 8;
            int inLong = offsets & 0xff;
            Condition type = linkTypes.is(LinkTypes.DECNET);
            Condition paddedLong = decnetPadded(0x8106, 3 + inLong, swapped);
            Condition plainLong = decnetPlain(6, 2 + inLong, swapped).or(paddedLong);
            Condition paddedShort = decnetPadded(0x8102, 3 + inShort, swapped).or(plainLong);
            return type.and(decnetPlain(2, 2 + inShort, swapped).or(paddedShort));
        });
    }

    private Condition decnetPadded(int flags, int offset, int address) {
        Condition kind = loads.masked(NETWORK, 2, H, flags, 0xff07);
        return kind.and(loads.equal(NETWORK, offset, H, address));
    }

    private Condition decnetPlain(int flags, int offset, int address) {
        Condition kind = loads.masked(NETWORK, 2, B, flags, 0x07);
        return kind.and(loads.equal(NETWORK, offset, H, address));
    }
}
