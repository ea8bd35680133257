package io.offhook.hep;

import io.offhook.packet.application.HepReader;
import java.nio.charset.StandardCharsets;

/**
 * Writes HEP3 packets, which {@link HepReader} reads. Allocates nothing. Single-threaded.
 *
 * <pre>
 * +---------------+---------------+---------------+---------------+
 * |                            "HEP3"                             |
 * +-------------------------------+-------------------------------+
 * |         total length          | chunks: vendor 0 (16),
 * |  type (16), length (16) with these six bytes, value
 * </pre>
 *
 * <p>Addresses are IPv4 if both are, else IPv6.
 */
public final class HepWriter {
    /** The longest packet, whose length must fit into 16 bits. */
    public static final int MAX_LENGTH = 65_535;

    private static final int FIXED_LENGTH = 6;
    private static final int CHUNK_HEADER = 6;

    private static final int FAMILY = 0x01;
    private static final int PROTOCOL = 0x02;
    private static final int IPV4_SOURCE = 0x03;
    private static final int IPV4_DESTINATION = 0x04;
    private static final int IPV6_SOURCE = 0x05;
    private static final int IPV6_DESTINATION = 0x06;
    private static final int SOURCE_PORT = 0x07;
    private static final int DESTINATION_PORT = 0x08;
    private static final int SECONDS = 0x09;
    private static final int MICROSECONDS = 0x0a;
    private static final int PAYLOAD_TYPE = 0x0b;
    private static final int CAPTURE_ID = 0x0c;
    private static final int AUTHENTICATION_KEY = 0x0e;
    private static final int PAYLOAD = 0x0f;
    private static final int CORRELATION_ID = 0x11;
    private static final int NODE_NAME = 0x13;

    private static final int INET = 2;
    private static final int INET6 = 10;
    private static final int V4_PREFIX = 0xffff;
    private static final long SECOND_NS = 1_000_000_000L;

    private final byte[] key;
    private final byte[] node;
    private final int captureId;
    private byte[] out = {};
    private int at;

    /** Creates a writer for an agent. */
    public HepWriter(HepAgent agent) {
        key = agent.authenticationKey().getBytes(StandardCharsets.UTF_8);
        node = agent.nodeName().getBytes(StandardCharsets.UTF_8);
        captureId = (int) agent.captureId();
    }

    private static boolean isIpv4(HepPacket packet) {
        return packet.sourceHigh == 0
                && packet.destinationHigh == 0
                && packet.sourceLow >>> 32 == V4_PREFIX
                && packet.destinationLow >>> 32 == V4_PREFIX;
    }

    /** The length of a packet in bytes; it cannot be written if that is more than {@value #MAX_LENGTH}. */
    public int length(HepPacket packet) {
        int address = isIpv4(packet) ? 4 : 16;
        // family, protocol and payload type 1 byte each, two ports of 2, seconds, microseconds and agent of 4
        int fixed = FIXED_LENGTH + 10 * CHUNK_HEADER + 3 + 2 * 2 + 3 * 4 + 2 * address;
        return fixed
                + optional(key.length)
                + optional(packet.correlationLength)
                + optional(node.length)
                + CHUNK_HEADER
                + packet.payloadLength;
    }

    private static int optional(int length) {
        return length == 0 ? 0 : CHUNK_HEADER + length;
    }

    /**
     * Writes a packet.
     *
     * @param to where to, with room for {@link #length} bytes from {@code offset}
     * @return the bytes written
     * @throws IllegalArgumentException if the packet is too long, for the format or for the array
     */
    public int write(HepPacket packet, byte[] to, int offset) {
        int length = length(packet);
        if (length > MAX_LENGTH || length > to.length - offset) {
            throw new IllegalArgumentException("a HEP packet of " + length + " bytes does not fit: the limits are "
                    + MAX_LENGTH + " and " + (to.length - offset));
        }
        out = to;
        at = offset;
        u32(0x4845_5033); // "HEP3"
        u16(length);
        boolean isIpv4 = isIpv4(packet);
        chunk8(FAMILY, isIpv4 ? INET : INET6);
        chunk8(PROTOCOL, packet.protocol);
        if (isIpv4) {
            chunk32(IPV4_SOURCE, (int) packet.sourceLow);
            chunk32(IPV4_DESTINATION, (int) packet.destinationLow);
        } else {
            chunk128(IPV6_SOURCE, packet.sourceHigh, packet.sourceLow);
            chunk128(IPV6_DESTINATION, packet.destinationHigh, packet.destinationLow);
        }
        chunk16(SOURCE_PORT, packet.sourcePort);
        chunk16(DESTINATION_PORT, packet.destinationPort);
        chunk32(SECONDS, (int) (packet.timestampNs / SECOND_NS));
        chunk32(MICROSECONDS, (int) (packet.timestampNs % SECOND_NS / 1000));
        chunk8(PAYLOAD_TYPE, packet.type.code());
        chunk32(CAPTURE_ID, captureId);
        chunk(AUTHENTICATION_KEY, key, 0, key.length);
        chunk(CORRELATION_ID, packet.correlation, packet.correlationOffset, packet.correlationLength);
        chunk(NODE_NAME, node, 0, node.length);
        header(PAYLOAD, packet.payloadLength);
        octets(packet.payload, packet.payloadOffset, packet.payloadLength);
        return at - offset;
    }

    private void header(int type, int length) {
        u16(0);
        u16(type);
        u16(CHUNK_HEADER + length);
    }

    private void chunk8(int type, int value) {
        header(type, 1);
        out[at++] = (byte) value;
    }

    private void chunk16(int type, int value) {
        header(type, 2);
        u16(value);
    }

    private void chunk32(int type, int value) {
        header(type, 4);
        u32(value);
    }

    private void chunk128(int type, long high, long low) {
        header(type, 16);
        u32((int) (high >>> 32));
        u32((int) high);
        u32((int) (low >>> 32));
        u32((int) low);
    }

    /** A chunk that is left out if it is empty. */
    private void chunk(int type, byte[] octets, int offset, int length) {
        if (length > 0) {
            header(type, length);
            octets(octets, offset, length);
        }
    }

    private void octets(byte[] octets, int offset, int length) {
        System.arraycopy(octets, offset, out, at, length);
        at += length;
    }

    private void u16(int value) {
        out[at++] = (byte) (value >>> 8);
        out[at++] = (byte) value;
    }

    private void u32(int value) {
        u16(value >>> 16);
        u16(value);
    }
}
