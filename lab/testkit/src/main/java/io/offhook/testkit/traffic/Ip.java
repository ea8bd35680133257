package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes IPv4 (RFC 791) and IPv6 (RFC 8200) packets: lengths and header checksum are right unless asked otherwise.
 *
 * <p>Which version it is follows from the addresses; ports are ignored.
 */
public final class Ip {
    public static final int ICMP = 1;
    public static final int IP_IN_IP = 4;
    public static final int TCP = 6;
    public static final int UDP = 17;
    public static final int IPV6_IN_IP = 41;
    public static final int IPV6_ROUTING = 43;
    public static final int IPV6_FRAGMENT = 44;
    public static final int GRE = 47;
    public static final int ICMPV6 = 58;
    public static final int IPV6_DESTINATION_OPTIONS = 60;
    public static final int SCTP = 132;
    public static final int IPV6_HOP_BY_HOP = 0;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Extension(int type, byte[] body) {}

    private final Endpoint source;
    private final Endpoint destination;
    private final List<Extension> extensions = new ArrayList<>();
    private byte[] options = {};
    private int ttl = 64;
    private int trafficClass;
    private int identification;
    private boolean dontFragment = true;

    private Ip(Endpoint source, Endpoint destination) {
        this.source = source;
        this.destination = destination;
    }

    public static Ip between(Endpoint source, Endpoint destination) {
        return new Ip(source, destination);
    }

    /** Time to live, or hop limit: 0 to 255. */
    public Ip ttl(int hops) {
        ttl = hops;
        return this;
    }

    /** TOS byte or traffic class. */
    public Ip trafficClass(int value) {
        trafficClass = value;
        return this;
    }

    /** IPv4 identification, 0 to 65535. */
    public Ip identification(int value) {
        identification = value;
        return this;
    }

    public Ip dontFragment(boolean set) {
        dontFragment = set;
        return this;
    }

    /** IPv4 options as they stand in the header, at most 40 bytes; padded to a multiple of four with End of Options. */
    public Ip options(byte... value) {
        options = new Octets().bytes(value).padTo(4).toArray();
        if (options.length > 40) {
            throw new IllegalArgumentException(value.length + " bytes of IPv4 options; the header holds 40");
        }
        return this;
    }

    /**
     * Adds an IPv6 extension header, ignored on IPv4.
     *
     * @param body what follows its next-header and length bytes; padded with PadN to a multiple of eight
     */
    public Ip extension(int type, byte... body) {
        extensions.add(new Extension(type, body));
        return this;
    }

    /** The whole packet. */
    public byte[] packet(int protocol, byte[] payload) {
        return source.isIpv4() ? version4(protocol, payload) : version6(protocol, payload);
    }

    private byte[] version4(int protocol, byte[] payload) {
        int headerLength = 20 + options.length;
        Octets packet = new Octets(ByteOrder.BIG_ENDIAN, headerLength + payload.length)
                .u8(0x40 | headerLength / 4)
                .u8(trafficClass)
                .u16(headerLength + payload.length)
                .u16(identification)
                .u16(dontFragment ? 0x4000 : 0)
                .u8(ttl)
                .u8(protocol)
                .u16(0)
                .bytes(Addresses.bytes(source, destination))
                .bytes(options);
        packet.setU16(10, Checksums.internet(packet.toArray(), 0, headerLength));
        return packet.bytes(payload).toArray();
    }

    private byte[] version6(int protocol, byte[] payload) {
        Octets chain = new Octets();
        for (int i = 0; i < extensions.size(); i++) {
            int next = i + 1 < extensions.size() ? extensions.get(i + 1).type() : protocol;
            chain.bytes(extensionHeader(next, extensions.get(i).body()));
        }
        byte[] extension = chain.toArray();
        return new Octets(ByteOrder.BIG_ENDIAN, 40 + extension.length + payload.length)
                .u32(6L << 28 | (long) trafficClass << 20)
                .u16(extension.length + payload.length)
                .u8(extensions.isEmpty() ? protocol : extensions.getFirst().type())
                .u8(ttl)
                .bytes(Addresses.bytes(source, destination))
                .bytes(extension)
                .bytes(payload)
                .toArray();
    }

    private static byte[] extensionHeader(int next, byte[] body) {
        int padded = (2 + body.length + 7) / 8 * 8;
        Octets header = new Octets().u8(next).u8(padded / 8 - 1).bytes(body);
        int missing = padded - header.length();
        if (missing == 1) {
            header.u8(0); // Pad1
        } else if (missing > 1) {
            header.u8(1).u8(missing - 2).zeros(missing - 2); // PadN
        }
        return header.toArray();
    }
}
