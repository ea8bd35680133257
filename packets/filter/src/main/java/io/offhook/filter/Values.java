package io.offhook.filter;

import io.offhook.filter.Qualifiers.Direction;
import io.offhook.filter.Qualifiers.Kind;
import java.util.Arrays;

/** Tests of a value by its qualifiers: a number, a name or an address as host, net, port or protocol. */
final class Values {
    private final LinkPosition state;
    private final LinkTypes linkTypes;
    private final MacAddresses macs;
    private final IpAddresses addresses;
    private final Ports ports;
    private final KeywordProtocols protocols;

    Values(
            LinkPosition state,
            LinkTypes linkTypes,
            MacAddresses macs,
            IpAddresses addresses,
            Ports ports,
            KeywordProtocols protocols) {
        this.state = state;
        this.linkTypes = linkTypes;
        this.macs = macs;
        this.addresses = addresses;
        this.ports = ports;
        this.protocols = protocols;
    }

    Condition match(Expression.Match match) {
        Token value = match.value();
        Qualifiers qualifiers = match.qualifiers();
        return switch (value.kind()) {
            case NUMBER -> number(value.number(), qualifiers);
            case NAME -> name(value.text(), qualifiers);
            case IPV4 -> match.mask() != null || match.prefix() >= 0 ? network(match) : ipv4(value.text(), qualifiers);
            case IPV6 -> ipv6(value.text(), match.prefix(), qualifiers);
            case MAC -> {
                boolean isHost = qualifiers.kind() == Kind.HOST || qualifiers.kind() == Kind.ANY;
                if (!isHost || qualifiers.protocol() != KeywordProtocol.LINK) {
                    throw state.error("ethernet address used in non-ether expression");
                }
                yield macs.host(NumberText.mac(value.text()), qualifiers.direction());
            }
            default -> arcnet(value.text(), qualifiers);
        };
    }

    private Condition arcnet(String text, Qualifiers qualifiers) {
        if (!Dlt.isArcnet(state.linkType)) {
            throw state.error("aid supported only on ARCnet");
        }
        boolean isHost = qualifiers.kind() == Kind.HOST || qualifiers.kind() == Kind.ANY;
        if (!isHost || qualifiers.protocol() != KeywordProtocol.LINK) {
            throw state.error("ARCnet address used in non-arc expression");
        }
        return macs.arcnetHost(new byte[] {NumberText.arcnet(text)}, qualifiers.direction());
    }

    private static String noun(Qualifiers qualifiers) {
        return qualifiers.kind() == Kind.NET ? "net" : "host";
    }

    private Condition ipv4(String text, Qualifiers qualifiers) {
        switch (qualifiers.kind()) {
            case PORT -> throw state.error("'port' modifier applied to ip host");
            case PORTRANGE -> throw state.error("'portrange' modifier applied to ip host");
            case PROTO -> throw state.error("'proto' modifier applied to ip host");
            case PROTOCHAIN -> throw state.error("'protochain' modifier applied to ip host");
            default -> {
                // a host or a network, or reported below
            }
        }
        if (qualifiers.protocol() == KeywordProtocol.DECNET) {
            int address = NumberText.decnet(text);
            if (address < 0) {
                throw state.error("malformed decnet address '" + text + "'");
            }
            return number(address, 32, false, qualifiers);
        }
        int bits = NumberText.ipv4Bits(text);
        if (bits < 0) {
            throw state.error("invalid IPv4 address '" + text + "'");
        }
        return number(NumberText.ipv4(text), bits, false, qualifiers);
    }

    private Condition number(int number, Qualifiers qualifiers) {
        return number(number, 32, true, qualifiers);
    }

    /** @param isPlain whether the number has no dots: as a net, 10 is 10.0.0.0/8 */
    private Condition number(int number, int bits, boolean isPlain, Qualifiers qualifiers) {
        return switch (qualifiers.kind()) {
            case ANY, HOST, NET -> address(number, bits, isPlain, qualifiers);
            case PORT, PORTRANGE -> {
                boolean isRange = qualifiers.kind() == Kind.PORTRANGE;
                int transport = transport(qualifiers, Ports.ANY, isRange ? "portrange" : "port");
                if (Integer.compareUnsigned(number, 65535) > 0) {
                    throw state.error("illegal port number " + Integer.toUnsignedString(number) + " > 65535");
                }
                yield ports.ports(number, number, isRange, transport, qualifiers.direction());
            }
            case GATEWAY -> throw state.error("'gateway' requires a name");
            case PROTO -> proto(number, qualifiers);
            case PROTOCHAIN -> ProtocolChain.in(state, linkTypes, qualifiers.protocol(), number);
            default -> throw noQualifiers();
        };
    }

    private Condition address(int number, int bits, boolean isPlain, Qualifiers qualifiers) {
        if (qualifiers.protocol() == KeywordProtocol.LINK) {
            throw state.error("illegal link layer address");
        }
        int address = number;
        int mask = -1;
        if (qualifiers.protocol() != KeywordProtocol.DECNET) {
            if (isPlain && qualifiers.kind() == Kind.NET) {
                while (address != 0 && (address & 0xff00_0000) == 0) {
                    address <<= 8;
                    mask <<= 8;
                }
            } else if (bits < 32) {
                address <<= 32 - bits;
                mask <<= 32 - bits;
            }
        }
        return addresses.ipv4(address, mask, qualifiers.protocol(), qualifiers.direction(), noun(qualifiers));
    }

    private Condition proto(int number, Qualifiers qualifiers) {
        if (qualifiers.direction() != Direction.ANY) {
            throw state.error("direction applied to 'proto'");
        }
        return protocols.inside(qualifiers.protocol(), number);
    }

    /** TCP, UDP, SCTP or any, by the qualifier and by the transport of a name. */
    private int transport(Qualifiers qualifiers, int ofName, String kind) {
        return switch (qualifiers.protocol()) {
            case ANY -> ofName;
            case TCP -> Ports.TCP;
            case UDP -> Ports.UDP;
            case SCTP -> Ports.SCTP;
            default -> throw state.error("illegal qualifier of '" + kind + "'");
        };
    }

    private Condition network(Expression.Match match) {
        String text = match.value().text();
        int bits = checkedBits(text);
        int address = bits < 32 ? NumberText.ipv4(text) << 32 - bits : NumberText.ipv4(text);
        int mask;
        String written;
        Token maskToken = match.mask();
        if (maskToken != null) {
            int maskBits = checkedBits(maskToken.text());
            mask = NumberText.ipv4(maskToken.text()) << 32 - maskBits;
            written = text + " mask " + maskToken.text();
        } else {
            if (match.prefix() > 32) {
                throw state.error("mask length must be <= 32");
            }
            mask = match.prefix() == 0 ? 0 : -1 << (int) (32 - match.prefix());
            written = text + "/" + match.prefix();
        }
        if ((address & ~mask) != 0) {
            throw state.error("non-network bits set in \"" + written + "\"");
        }
        Qualifiers qualifiers = match.qualifiers();
        if (qualifiers.kind() != Kind.NET) {
            throw state.error("Mask syntax for networks only");
        }
        return addresses.ipv4(address, mask, qualifiers.protocol(), qualifiers.direction(), "net");
    }

    private int checkedBits(String text) {
        int bits = NumberText.ipv4Bits(text);
        if (bits < 0) {
            throw state.error("invalid IPv4 address '" + text + "'");
        }
        return bits;
    }

    private Condition ipv6(String text, long prefix, Qualifiers qualifiers) {
        int[] address = Ipv6Text.parse(text);
        if (address == null) {
            throw state.error("invalid ip6 address " + text);
        }
        long bits = prefix < 0 ? 128 : prefix;
        if (bits > 128) {
            throw state.error("mask length must be <= 128");
        }
        int[] mask = new int[4];
        for (int i = 0; i < 4; i++) {
            int own = Math.clamp(bits - 32L * i, 0, 32);
            mask[i] = own == 0 ? 0 : -1 << 32 - own;
            if ((address[i] & ~mask[i]) != 0) {
                throw state.error("non-network bits set in \"" + text + "/" + bits + "\"");
            }
        }
        switch (qualifiers.kind()) {
            case ANY, HOST -> {
                if (bits != 128) {
                    throw state.error("Mask syntax for networks only");
                }
            }
            case NET -> {
                // any mask is valid
            }
            default -> throw state.error("invalid qualifier against IPv6 address");
        }
        return addresses.ipv6(address, mask, qualifiers.protocol(), qualifiers.direction(), noun(qualifiers));
    }

    private Condition name(String name, Qualifiers qualifiers) {
        return switch (qualifiers.kind()) {
            case NET -> throw state.error("unknown network '" + name + "' (names of networks are not looked up)");
            case ANY, HOST -> hostName(name, qualifiers);
            case PORT -> {
                PortNames.Port port = PortNames.find(name);
                if (port == null) {
                    checkPorts(qualifiers, "port");
                    throw state.error("unknown port '" + name + "'");
                }
                yield namedPorts(name, port, port, false, qualifiers);
            }
            case PORTRANGE -> {
                checkPorts(qualifiers, "portrange");
                PortNames.Port[] range = PortNames.findRange(name);
                if (range == null) {
                    throw state.error("unknown port in range '" + name + "'");
                }
                yield namedPorts(name, range[0], range[1], true, qualifiers);
            }
            case GATEWAY -> throw state.error("'gateway' not supported in this configuration");
            case PROTO -> proto(protocolNumber(name, qualifiers.protocol()), qualifiers);
            case PROTOCHAIN ->
                ProtocolChain.in(state, linkTypes, qualifiers.protocol(), protocolNumber(name, qualifiers.protocol()));
            case NONE -> throw noQualifiers();
        };
    }

    private FilterException noQualifiers() {
        return state.error("syntax error in filter expression" + SyntaxHint.at(state.expression, state.place));
    }

    private void checkPorts(Qualifiers qualifiers, String kind) {
        transport(qualifiers, Ports.ANY, kind);
    }

    private Condition namedPorts(
            String name, PortNames.Port first, PortNames.Port last, boolean isRange, Qualifiers qualifiers) {
        String kind = isRange ? "portrange" : "port";
        int ofName = first.transport() == last.transport() ? first.transport() : Ports.ANY;
        int transport = transport(qualifiers, ofName, kind);
        if (ofName != Ports.ANY && transport != ofName) {
            String shown = ofName == Ports.TCP ? "tcp" : ofName == Ports.UDP ? "udp" : "sctp";
            throw state.error((isRange ? "port in range" : "port") + " '" + name + "' is " + shown);
        }
        int[] numbers = {first.number(), last.number()};
        for (int number : numbers) {
            if (number < 0) {
                throw state.error("illegal port number " + number + " < 0");
            }
            if (number > 65535) {
                throw state.error("illegal port number " + number + " > 65535");
            }
        }
        return ports.ports(first.number(), last.number(), isRange, transport, qualifiers.direction());
    }

    private int protocolNumber(String name, KeywordProtocol outer) {
        Integer number = switch (outer) {
            case ANY, IP, IP6 -> ProtocolNames.ip(name);
            case LINK -> ProtocolNames.link(name);
            case ISO -> ProtocolNames.osi(name);
            default -> throw state.error("unknown protocol: " + name);
        };
        if (number == null) {
            String what = outer == KeywordProtocol.LINK ? "ether" : outer == KeywordProtocol.ISO ? "osi" : "ip";
            throw state.error("unknown " + what + " proto '" + name + "'");
        }
        return number;
    }

    /** Names of hosts are not resolved, but an escaped word may be an address. */
    private Condition hostName(String name, Qualifiers qualifiers) {
        if (qualifiers.protocol() == KeywordProtocol.LINK) {
            String kind = macs.hostName();
            if (kind == null) {
                throw state.error(
                        "only ethernet/FDDI/token ring/802.11/ATM LANE/Fibre Channel supports link-level host name");
            }
            throw state.error("unknown " + kind + " host '" + name + "' (names of hosts are not looked up)");
        }
        if (qualifiers.protocol() == KeywordProtocol.DECNET) {
            throw state.error("decnet name support not included, '" + name + "' cannot be translated");
        }
        long ipv4 = NumberText.inetAddress(name);
        if (ipv4 >= 0) {
            return addressOfName((int) ipv4, qualifiers);
        }
        int[] ipv6 = name.indexOf(':') < 0 ? null : Ipv6Text.parse(name);
        if (ipv6 == null) {
            throw state.error("unknown host '" + name + "' (names of hosts are not looked up)");
        }
        int[] mask = new int[4];
        Arrays.fill(mask, -1);
        KeywordProtocol protocol = qualifiers.protocol();
        return addresses.ipv6(ipv6, mask, protocol, qualifiers.direction(), "host");
    }

    private Condition addressOfName(int address, Qualifiers qualifiers) {
        boolean isUntyped = state.type.constant == LinkPosition.NOT_SET && qualifiers.protocol() == KeywordProtocol.ANY;
        KeywordProtocol protocol = isUntyped ? KeywordProtocol.IP : qualifiers.protocol();
        return addresses.ipv4(address, -1, protocol, qualifiers.direction(), "host");
    }
}
