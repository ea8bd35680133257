package io.offhook.sip;

import io.offhook.packet.IpAddress;

/**
 * Where a message came from, or where it goes: transport, address, port, the listener on our side, and for a stream its
 * connection. Mutable, so that a transaction can keep one without allocating; not thread-safe.
 */
public final class SipHop {
    private SipTransport transport = SipTransport.UDP;
    private int listener;
    private long high;
    private long low;
    private int port;
    private long connection;
    private String name = "";

    /** Creates a hop over UDP without address. */
    public SipHop() {}

    /**
     * Sets everything but connection and name, which become unknown.
     *
     * @param transport the transport
     * @param listener the listener on our side, counted from 0
     * @param high the first 64 bits of the other side's address, as in {@link IpAddress}
     * @param low the last 64 bits
     * @param port the other side's port, 0 to 65535
     */
    public SipHop set(SipTransport transport, int listener, long high, long low, int port) {
        this.transport = transport;
        this.listener = listener;
        this.high = high;
        this.low = low;
        this.port = port;
        connection = 0;
        name = "";
        return this;
    }

    /** Becomes equal to another hop. */
    public SipHop set(SipHop other) {
        set(other.transport, other.listener, other.high, other.low, other.port);
        connection = other.connection;
        name = other.name;
        return this;
    }

    /** Sets the connection of a stream. */
    public SipHop connection(long number) {
        connection = number;
        return this;
    }

    /** Sets the domain that was resolved to this hop, for which the other side's certificate must be (RFC 5922, 7.3). */
    public SipHop name(String domain) {
        name = domain;
        return this;
    }

    /** Sets the port. */
    public SipHop port(int number) {
        port = number;
        return this;
    }

    /** Sets the listener on our side. */
    public SipHop listener(int number) {
        listener = number;
        return this;
    }

    /** The transport. */
    public SipTransport transport() {
        return transport;
    }

    /** The listener on our side, counted from 0. */
    public int listener() {
        return listener;
    }

    /** The first 64 bits of the other side's address, as in {@link IpAddress}. */
    public long high() {
        return high;
    }

    /** The last 64 bits of the other side's address. */
    public long low() {
        return low;
    }

    /** The other side's port, 0 to 65535. */
    public int port() {
        return port;
    }

    /** The number of the connection of a stream; 0 if it is unknown, and for UDP. */
    public long connection() {
        return connection;
    }

    /** The domain that was resolved to this hop; "" if it was given as an address. */
    public String name() {
        return name;
    }

    /** The other side's address; allocates. */
    public IpAddress address() {
        return new IpAddress(high, low);
    }

    /** Whether address, port and transport of the other side are those of another hop. */
    public boolean isSameRemote(SipHop other) {
        return low == other.low && high == other.high && port == other.port && transport == other.transport;
    }

    @Override
    public String toString() {
        IpAddress address = address();
        return transport + " " + (address.isIpv4() ? address.toString() : "[" + address + "]") + ":" + port;
    }
}
