package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Writes UDP, TCP, SCTP and ICMP messages, to be the payload of an {@link Ip} packet. */
public final class Transports {
    public static final int FIN = 0x01;
    public static final int SYN = 0x02;
    public static final int RST = 0x04;
    public static final int PSH = 0x08;
    public static final int ACK = 0x10;

    private Transports() {}

    /** A UDP datagram (RFC 768) with its checksum; one that comes out as zero is sent as all ones. */
    public static byte[] udp(Endpoint source, Endpoint destination, byte[] payload) {
        Octets message = new Octets(ByteOrder.BIG_ENDIAN, 8 + payload.length)
                .u16(source.port())
                .u16(destination.port())
                .u16(8 + payload.length)
                .u16(0)
                .bytes(payload);
        int checksum = Checksums.transport(source, destination, Ip.UDP, message.toArray());
        return message.setU16(6, checksum == 0 ? 0xffff : checksum).toArray();
    }

    /**
     * A TCP segment (RFC 9293) with its checksum.
     *
     * @param options as they stand in the header, at most 40 bytes; padded to a multiple of four
     */
    public static byte[] tcp(
            Endpoint source,
            Endpoint destination,
            long sequence,
            long acknowledgment,
            int flags,
            byte[] options,
            byte[] payload) {
        byte[] padded = new Octets().bytes(options).padTo(4).toArray();
        Octets message = new Octets(ByteOrder.BIG_ENDIAN, 20 + padded.length + payload.length)
                .u16(source.port())
                .u16(destination.port())
                .u32(sequence & 0xffff_ffffL)
                .u32(acknowledgment & 0xffff_ffffL)
                .u8((20 + padded.length) / 4 << 4)
                .u8(flags)
                .u16(65535)
                .u16(0)
                .u16(0)
                .bytes(padded)
                .bytes(payload);
        return message.setU16(16, Checksums.transport(source, destination, Ip.TCP, message.toArray()))
                .toArray();
    }

    /** An SCTP packet (RFC 9260) with one DATA chunk that holds a whole user message, and its CRC32c. */
    public static byte[] sctp(
            Endpoint source, Endpoint destination, long tag, long tsn, int stream, int payloadProtocol, byte[] data) {
        byte[] head =
                new Octets().u16(source.port()).u16(destination.port()).u32(tag).toArray();
        byte[] chunk = new Octets()
                .u8(0)
                .u8(3) // first and last fragment of its message
                .u16(16 + data.length)
                .u32(tsn)
                .u16(stream)
                .u16(0)
                .u32(payloadProtocol)
                .bytes(data)
                .padTo(4)
                .toArray();
        CRC32C crc = new CRC32C();
        crc.update(head);
        crc.update(new byte[4]);
        crc.update(chunk);
        // the CRC goes out least significant byte first (RFC 9260 appendix A)
        long swapped = Integer.reverseBytes((int) crc.getValue()) & 0xffff_ffffL;
        return new Octets().bytes(head).u32(swapped).bytes(chunk).toArray();
    }

    /** An ICMP echo request or reply. */
    public static byte[] icmpEcho(boolean reply, int identifier, int sequence, byte[] data) {
        return withIcmpChecksum(new Octets()
                .u8(reply ? 0 : 8)
                .u8(0)
                .u16(0)
                .u16(identifier)
                .u16(sequence)
                .bytes(data));
    }

    /**
     * The whole IP packet of a "port unreachable" with which {@code from} answers {@code packet}, quoting it: ICMP type 3
     * code 3 (RFC 792), or ICMPv6 type 1 code 4 (RFC 4443).
     *
     * @param to the receiver: the source of {@code packet}
     * @param quotedBytes how much of the packet is quoted at most: RFC 792 asks for the header and 8 bytes, hosts of today
     *     send what fits 576 (IPv4) or 1280 (IPv6)
     */
    public static byte[] portUnreachable(Endpoint from, Endpoint to, byte[] packet, int quotedBytes) {
        int quoted = Math.min(packet.length, quotedBytes);
        if (from.isIpv4()) {
            byte[] message =
                    withIcmpChecksum(new Octets().u8(3).u8(3).u16(0).u32(0).bytes(packet, 0, quoted));
            return Ip.between(from, to).packet(Ip.ICMP, message);
        }
        Octets message = new Octets().u8(1).u8(4).u16(0).u32(0).bytes(packet, 0, quoted);
        message.setU16(2, Checksums.transport(from, to, Ip.ICMPV6, message.toArray()));
        return Ip.between(from, to).packet(Ip.ICMPV6, message.toArray());
    }

    private static byte[] withIcmpChecksum(Octets message) {
        return message.setU16(2, Checksums.internet(message.toArray(), 0, message.length()))
                .toArray();
    }
}
