package io.offhook.hep;

/**
 * What is to be mirrored: the payload with where it came from, where it went, and when. Reused; holds the arrays that it
 * was given, until it is written. Single-threaded.
 */
public final class HepPacket {
    private static final byte[] NONE = {};

    long sourceHigh;
    long sourceLow;
    int sourcePort;
    long destinationHigh;
    long destinationLow;
    int destinationPort;
    int protocol;
    long timestampNs;
    HepPayloadType type = HepPayloadType.SIP;
    byte[] payload = NONE;
    int payloadOffset;
    int payloadLength;
    byte[] correlation = NONE;
    int correlationOffset;
    int correlationLength;

    /** Creates a packet from and to nowhere, without payload. */
    public HepPacket() {}

    /**
     * Who sent the payload.
     *
     * @param high the first 64 bits of the address, 0 for IPv4
     * @param low the last 64 bits; an IPv4 address is mapped to IPv6, as in {@link io.offhook.packet.IpAddress}
     * @param port 0 to 65535
     */
    public HepPacket source(long high, long low, int port) {
        sourceHigh = high;
        sourceLow = low;
        sourcePort = port;
        return this;
    }

    /**
     * Whom the payload was sent to.
     *
     * @param high the first 64 bits of the address, 0 for IPv4
     * @param low the last 64 bits, as those of the source
     * @param port 0 to 65535
     */
    public HepPacket destination(long high, long low, int port) {
        destinationHigh = high;
        destinationLow = low;
        destinationPort = port;
        return this;
    }

    /** The IP protocol that carried the payload: 6 TCP, 17 UDP, 132 SCTP. */
    public HepPacket protocol(int number) {
        protocol = number;
        return this;
    }

    /** When it was sent or received, nanoseconds since the epoch; microseconds are sent. */
    public HepPacket timestampNs(long sinceEpochNs) {
        timestampNs = sinceEpochNs;
        return this;
    }

    /** The payload, and what it is. */
    public HepPacket payload(HepPayloadType what, byte[] octets, int offset, int length) {
        type = what;
        payload = octets;
        payloadOffset = offset;
        payloadLength = length;
        return this;
    }

    /** What the payload belongs to, the Call-ID for media and logs; of length 0 for none, as SIP says it itself. */
    public HepPacket correlationId(byte[] octets, int offset, int length) {
        correlation = octets;
        correlationOffset = offset;
        correlationLength = length;
        return this;
    }
}
