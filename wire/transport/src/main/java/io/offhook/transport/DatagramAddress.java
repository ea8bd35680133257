package io.offhook.transport;

import io.offhook.packet.IpAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * An address and a port, in a form that is reused for each datagram: IPv4 mapped to IPv6, as {@link IpAddress} has it, and
 * for link-local addresses of IPv6 the interface. Equality is by content, so an address that is a key must no longer
 * change. Not thread-safe.
 */
public final class DatagramAddress {
    private static final int MAX_PORT = 0xffff;
    private static final long LINK_LOCAL = 0xfe80L << 48;
    private static final long LINK_LOCAL_MASK = 0xffc0L << 48;

    private long high;
    private long low;
    private int port;
    private int scope;

    /** Creates an address of zeros. */
    public DatagramAddress() {}

    /** Creates an address. */
    public static DatagramAddress of(IpAddress address, int port) {
        DatagramAddress created = new DatagramAddress();
        created.set(address.high(), address.low(), port, 0);
        return created;
    }

    /**
     * Creates an address.
     *
     * @throws IllegalArgumentException if the name was not resolved
     */
    public static DatagramAddress of(InetSocketAddress address) {
        DatagramAddress created = new DatagramAddress();
        created.set(address);
        return created;
    }

    /** Creates a copy of another address. */
    public static DatagramAddress copyOf(DatagramAddress other) {
        DatagramAddress created = new DatagramAddress();
        created.set(other);
        return created;
    }

    /** The first 64 bits of the address; 0 for IPv4. */
    public long high() {
        return high;
    }

    /** The last 64 bits of the address. */
    public long low() {
        return low;
    }

    /** The port, 0 to 65535. */
    public int port() {
        return port;
    }

    /** The index of the interface of a link-local IPv6 address; otherwise 0. */
    public int scope() {
        return scope;
    }

    /**
     * Changes the address.
     *
     * @param high the first 64 bits; 0 for IPv4
     * @param low the last 64 bits; for IPv4, mapped
     * @param port 0 to 65535
     * @param scope the index of the interface of a link-local IPv6 address; of others it is not kept
     */
    public void set(long high, long low, int port, int scope) {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is outside 0 to " + MAX_PORT);
        }
        this.high = high;
        this.low = low;
        this.port = port;
        this.scope = (high & LINK_LOCAL_MASK) == LINK_LOCAL ? scope : 0;
    }

    /** Changes the address to that of another one. */
    public void set(DatagramAddress other) {
        high = other.high;
        low = other.low;
        port = other.port;
        scope = other.scope;
    }

    /**
     * Changes the address.
     *
     * @throws IllegalArgumentException if the name was not resolved
     */
    public void set(InetSocketAddress address) {
        InetAddress resolved = address.getAddress();
        if (resolved == null) {
            throw new IllegalArgumentException("the address of " + address.getHostString() + " is not resolved");
        }
        IpAddress ip = IpAddress.of(resolved);
        set(ip.high(), ip.low(), address.getPort(), resolved instanceof Inet6Address inet6 ? inet6.getScopeId() : 0);
    }

    /** Whether the address is one of IPv4. */
    public boolean isIpv4() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** 0.0.0.0 or ::. */
    public boolean isUnspecified() {
        return high == 0 && (low == 0 || low == 0xffffL << 32);
    }

    /** The address without port and interface, owned. */
    public IpAddress ip() {
        return new IpAddress(high, low);
    }

    /** The same address for the JDK's classes. */
    public InetSocketAddress toInetSocketAddress() {
        InetAddress address = ip().toInetAddress();
        if (scope != 0) {
            try {
                address = Inet6Address.getByAddress(null, address.getAddress(), scope);
            } catch (UnknownHostException e) { // 16 octets are an address
                throw new IllegalStateException("no address of IPv6", e);
            }
        }
        return new InetSocketAddress(address, port);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DatagramAddress that
                && high == that.high
                && low == that.low
                && port == that.port
                && scope == that.scope;
    }

    @Override
    public int hashCode() {
        long mixed = ((high * 31 + low) * 31 + port * 31L + scope) * 0x9e3779b97f4a7c15L;
        return (int) (mixed ^ mixed >>> 32);
    }

    /** As {@code 192.0.2.1:5060} or {@code [2001:db8::1]:5060}, with {@code %2} for the interface. */
    @Override
    public String toString() {
        if (isIpv4()) {
            return ip() + ":" + port;
        }
        return "[" + ip() + (scope == 0 ? "" : "%" + scope) + "]:" + port;
    }
}
