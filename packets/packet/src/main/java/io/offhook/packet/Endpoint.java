package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An IP address and a port, owned. IPv4 addresses are stored as IPv4-mapped IPv6 addresses (RFC 4291, 2.5.5.2), so that
 * both families are two longs and compare equally.
 *
 * @param high the first 64 bits of the address
 * @param low the last 64 bits
 * @param port 0 to 65535; 0 if the protocol has none
 */
public record Endpoint(long high, long low, int port) {
    private static final long V4_PREFIX = 0xffffL << 32;

    /** Checks the port. */
    public Endpoint {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port " + port + " is not in 0 to 65535");
        }
    }

    /**
     * Reads an address as text, "192.0.2.1" or "2001:db8::1", by {@link IpAddress#parse}; no name is looked up.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Endpoint of(String address, int port) {
        IpAddress parsed = IpAddress.parse(address);
        if (parsed == null) {
            throw new IllegalArgumentException(
                    "address " + address + " is neither IPv4 (192.0.2.1) nor IPv6 (2001:db8::1)");
        }
        return of(parsed, port);
    }

    /**
     * Reads "192.0.2.1:5060" or "[2001:db8::1]:5060", as {@link #toString} writes it; null if it is neither.
     *
     * @see IpAddress#parse
     */
    public static @Nullable Endpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            return null;
        }
        String host = text.substring(0, colon);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        IpAddress address = IpAddress.parse(isBracketed ? host.substring(1, host.length() - 1) : host);
        String port = text.substring(colon + 1);
        if (address == null || port.isEmpty() || port.length() > 5) {
            return null;
        }
        int number = 0;
        for (int i = 0; i < port.length(); i++) {
            if (port.charAt(i) < '0' || port.charAt(i) > '9') {
                return null;
            }
            number = 10 * number + port.charAt(i) - '0';
        }
        return number > 0xffff ? null : of(address, number);
    }

    /** An address and a port of it, 0 to 65535. */
    public static Endpoint of(IpAddress address, int port) {
        return new Endpoint(address.high(), address.low(), port);
    }

    /** An address of the JDK and a port of it, 0 to 65535; a zone of IPv6 is left out. */
    public static Endpoint of(InetAddress address, int port) {
        return of(IpAddress.of(address), port);
    }

    /**
     * An address and port of the JDK.
     *
     * @throws IllegalArgumentException if it has a name that is not resolved
     */
    public static Endpoint of(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("host name " + address.getHostString() + " is not resolved");
        }
        return of(address.getAddress(), address.getPort());
    }

    /** The same address and port for the JDK's classes; no name is looked up. */
    public InetSocketAddress toInetSocketAddress() {
        return new InetSocketAddress(address().toInetAddress(), port);
    }

    /** The address alone. */
    public IpAddress address() {
        return new IpAddress(high, low);
    }

    /**
     * An endpoint of IPv4, whose address is mapped to IPv6.
     *
     * @param address the 32 bits of an IPv4 address
     */
    public static Endpoint ofIpv4(int address, int port) {
        return new Endpoint(0, V4_PREFIX | (address & 0xffff_ffffL), port);
    }

    /** Reads a 4-byte IPv4 address in network order. */
    public static Endpoint readIpv4(MemorySegment segment, long offset, int port) {
        return ofIpv4(NetworkOrder.bits32(segment, offset), port);
    }

    /** Reads a 16-byte IPv6 address in network order. */
    public static Endpoint readIpv6(MemorySegment segment, long offset, int port) {
        return new Endpoint(NetworkOrder.bits64(segment, offset), NetworkOrder.bits64(segment, offset + 8), port);
    }

    /** Whether the address is one of IPv4, mapped. */
    public boolean isIpv4() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** 0.0.0.0 or ::, which in SDP means hold (RFC 3264, 8.4). */
    public boolean isUnspecified() {
        return high == 0 && (low == 0 || low == V4_PREFIX);
    }

    /** The same address with another port, 0 to 65535. */
    public Endpoint withPort(int port) {
        return new Endpoint(high, low, port);
    }

    /** The address as text: dotted decimal, or IPv6 in the canonical form of RFC 5952, without brackets. */
    public String addressText() {
        return address().toString();
    }

    // written out: what the compiler makes of a record is linked at its first use, which takes tens of milliseconds

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Endpoint that && high == that.high && low == that.low && port == that.port;
    }

    @Override
    public int hashCode() {
        long mixed = (high * 31 + low) * 0x9e3779b97f4a7c15L + port * 0xc2b2ae3d27d4eb4fL;
        return (int) (mixed ^ mixed >>> 32);
    }

    /** "192.0.2.1:5060" or "[2001:db8::1]:5060". */
    @Override
    public String toString() {
        return isIpv4() ? addressText() + ":" + port : "[" + addressText() + "]:" + port;
    }
}
