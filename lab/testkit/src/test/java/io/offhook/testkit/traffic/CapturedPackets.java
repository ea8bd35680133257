package io.offhook.testkit.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A second, plain reading of generated frames: Ethernet with tags, IPv4 and IPv6 without tunnels. It shares no code with the
 * generator, and asserts on the way that every length and checksum is right.
 */
final class CapturedPackets {
    /** A transport message with its addresses. */
    @SuppressWarnings("ArrayRecordComponent")
    record Packet(long timestampNs, int protocol, Endpoint source, Endpoint destination, byte[] message) {
        byte[] udpPayload() {
            return Arrays.copyOfRange(message, 8, message.length);
        }
    }

    private CapturedPackets() {}

    /** All that are not fragments. */
    static List<Packet> of(List<Frame> frames) {
        List<Packet> packets = new ArrayList<>();
        for (Frame frame : frames) {
            ByteBuffer bytes = ByteBuffer.wrap(frame.bytes());
            int at = 12;
            int type = bytes.getShort(at) & 0xffff;
            while (type == 0x8100 || type == 0x88a8) {
                at += 4;
                type = bytes.getShort(at) & 0xffff;
            }
            at += 2;
            if (type == 0x0800) {
                version4(frame, bytes, at, packets);
            } else if (type == 0x86dd) {
                version6(frame, bytes, at, packets);
            }
        }
        return packets;
    }

    private static void version4(Frame frame, ByteBuffer bytes, int at, List<Packet> packets) {
        int header = (bytes.get(at) & 15) * 4;
        int total = bytes.getShort(at + 2) & 0xffff;
        assertThat(at + total).as("IPv4 total length").isLessThanOrEqualTo(frame.bytes().length);
        assertThat(onesSum(frame.bytes(), at, header, 0))
                .as("IPv4 header checksum")
                .isEqualTo(0xffff);
        if ((bytes.getShort(at + 6) & 0x3fff) != 0) {
            return;
        }
        int protocol = bytes.get(at + 9) & 0xff;
        byte[] message = Arrays.copyOfRange(frame.bytes(), at + header, at + total);
        int sourcePort = ports(protocol) ? bytes.getShort(at + header) & 0xffff : 0;
        int destinationPort = ports(protocol) ? bytes.getShort(at + header + 2) & 0xffff : 0;
        long pseudo = onesSum(frame.bytes(), at + 12, 8, (long) protocol + message.length);
        check(protocol, message, pseudo);
        packets.add(new Packet(
                frame.timestampNs(),
                protocol,
                Endpoint.ofIpv4(bytes.getInt(at + 12), sourcePort),
                Endpoint.ofIpv4(bytes.getInt(at + 16), destinationPort),
                message));
    }

    private static void version6(Frame frame, ByteBuffer bytes, int at, List<Packet> packets) {
        int length = bytes.getShort(at + 4) & 0xffff;
        assertThat(at + 40 + length).as("IPv6 payload length").isLessThanOrEqualTo(frame.bytes().length);
        int protocol = bytes.get(at + 6) & 0xff;
        if (protocol == 44) {
            return;
        }
        byte[] message = Arrays.copyOfRange(frame.bytes(), at + 40, at + 40 + length);
        long pseudo = onesSum(frame.bytes(), at + 8, 32, (long) protocol + message.length);
        check(protocol, message, pseudo);
        int sourcePort = ports(protocol) ? bytes.getShort(at + 40) & 0xffff : 0;
        int destinationPort = ports(protocol) ? bytes.getShort(at + 42) & 0xffff : 0;
        packets.add(new Packet(
                frame.timestampNs(),
                protocol,
                new Endpoint(bytes.getLong(at + 8), bytes.getLong(at + 16), sourcePort),
                new Endpoint(bytes.getLong(at + 24), bytes.getLong(at + 32), destinationPort),
                message));
    }

    private static boolean ports(int protocol) {
        return protocol == 6 || protocol == 17 || protocol == 132;
    }

    private static void check(int protocol, byte[] message, long pseudo) {
        switch (protocol) {
            case 17 -> {
                assertThat(ByteBuffer.wrap(message).getShort(4) & 0xffff)
                        .as("UDP length")
                        .isEqualTo(message.length);
                assertThat(onesSum(message, 0, message.length, pseudo))
                        .as("UDP checksum")
                        .isEqualTo(0xffff);
            }
            case 6, 58 ->
                assertThat(onesSum(message, 0, message.length, pseudo))
                        .as("checksum of protocol " + protocol)
                        .isEqualTo(0xffff);
            case 1 ->
                assertThat(onesSum(message, 0, message.length, 0))
                        .as("ICMP checksum")
                        .isEqualTo(0xffff);
            default -> {}
        }
    }

    /** One's-complement sum, byte by byte: over right bytes with their checksum it is all ones. */
    static int onesSum(byte[] bytes, int from, int length, long start) {
        long sum = start;
        for (int i = 0; i < length; i++) {
            int value = bytes[from + i] & 0xff;
            sum += i % 2 == 0 ? value * 256 : value;
            if (sum > 0xffff) {
                sum -= 0xffff;
            }
        }
        while (sum > 0xffff) {
            sum -= 0xffff;
        }
        return (int) sum;
    }
}
