package io.offhook.research.handover;

import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.VlanView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.transport.UdpView;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A way to read a packet: addresses, ports, TTL and the payload's length, and optionally the payload's bytes. For one
 * thread.
 */
abstract class PacketLook {
    private static final int VLAN = 0x8100;
    private static final int IPV4 = 0x0800;
    private static final int UDP = 17;

    /** Returns what was read, as one number; 0 for a packet other than UDP in IPv4. */
    abstract long header(MemorySegment segment, long offset, int length);

    /** The position of the payload of the last packet. */
    abstract long payloadOffset();

    abstract int payloadLength();

    /** @param payload whether its bytes are read as well */
    final long look(MemorySegment segment, long offset, int length, boolean payload) {
        long header = header(segment, offset, length);
        return payload ? header + sum(segment, payloadOffset(), payloadLength()) : header;
    }

    /** Byte by byte, like a parser. */
    private static long sum(MemorySegment segment, long offset, int length) {
        int hash = 0;
        for (long at = offset; at < offset + length; at++) {
            hash = hash * 31 + NetworkOrder.u8(segment, at);
        }
        return hash & 0xffff_ffffL;
    }

    private static long mixed(
            long source, long destination, int sourcePort, int destinationPort, int ttl, int payloadLength) {
        return (source ^ destination << 7) + ((long) sourcePort << 16) + destinationPort * 3L + ttl + payloadLength;
    }

    /** Wraps a view around each header in place: nothing is copied, and fields are read on access. */
    static final class Views extends PacketLook {
        private final EthernetView ethernet = new EthernetView();
        private final VlanView vlan = new VlanView();
        private final Ipv4View ip = new Ipv4View();
        private final UdpView udp = new UdpView();

        @Override
        long header(MemorySegment segment, long offset, int length) {
            if (ethernet.wrap(segment, offset, length) != WrapStatus.OK) {
                return 0;
            }
            int type = ethernet.type();
            int at = EthernetView.LENGTH;
            if (type == VLAN && vlan.wrap(segment, offset + at, length - at) == WrapStatus.OK) {
                type = vlan.type();
                at += VlanView.LENGTH;
            }
            if (type != IPV4 || ip.wrap(segment, offset + at, length - at) != WrapStatus.OK || ip.protocol() != UDP) {
                return 0;
            }
            if (udp.wrap(segment, ip.payloadOffset(), ip.payloadLength()) != WrapStatus.OK) {
                return 0;
            }
            return mixed(
                    ip.source(),
                    ip.destination(),
                    udp.sourcePort(),
                    udp.destinationPort(),
                    ip.ttl(),
                    udp.payloadLength());
        }

        @Override
        long payloadOffset() {
            return udp.payloadOffset();
        }

        @Override
        int payloadLength() {
            return udp.payloadLength();
        }
    }

    /** The walker finds all layers of any packet; then a view is wrapped around one of them. */
    static final class Walker extends PacketLook {
        private final PacketWalker walker = new PacketWalker();
        private final Ipv4View ip = new Ipv4View();

        @Override
        long header(MemorySegment segment, long offset, int length) {
            walker.walk(segment, offset, length, length, LinkType.ETHERNET);
            int network = walker.network();
            if (network < 0 || walker.transport() < 0) {
                return 0;
            }
            if (ip.wrap(segment, walker.layerOffset(network), walker.layerLength(network)) != WrapStatus.OK) {
                return 0;
            }
            return mixed(
                    ip.source(),
                    ip.destination(),
                    walker.sourcePort(),
                    walker.destinationPort(),
                    ip.ttl(),
                    walker.payloadLength());
        }

        @Override
        long payloadOffset() {
            return walker.payloadOffset();
        }

        @Override
        int payloadLength() {
            return walker.payloadLength();
        }
    }

    /** Copies every field of every header into an object, as libraries do whose packets can be kept. */
    static final class Objects extends PacketLook {
        private long payloadOffset;
        private int payloadLength;

        /** Escapes, so that the compiler cannot remove the object. */
        @Nullable
        Packet latest;

        record Ethernet(long destination, long source, int type, int vlan) {}

        record Ip(
                int version,
                int headerLength,
                int trafficClass,
                int totalLength,
                int identification,
                int fragment,
                int ttl,
                int protocol,
                int checksum,
                long source,
                long destination) {}

        record Udp(int sourcePort, int destinationPort, int length, int checksum) {}

        record Packet(Ethernet ethernet, Ip ip, Udp udp) {}

        @Override
        long header(MemorySegment segment, long offset, int length) {
            Packet packet = packet(segment, offset, length);
            latest = packet;
            if (packet == null) {
                return 0;
            }
            return mixed(
                    packet.ip.source,
                    packet.ip.destination,
                    packet.udp.sourcePort,
                    packet.udp.destinationPort,
                    packet.ip.ttl,
                    payloadLength);
        }

        private @Nullable Packet packet(MemorySegment segment, long offset, int length) {
            if (length < EthernetView.LENGTH + VlanView.LENGTH + Ipv4View.MIN_LENGTH + UdpView.LENGTH) {
                return null;
            }
            int type = NetworkOrder.u16(segment, offset + 12);
            boolean tagged = type == VLAN;
            long at = offset + (tagged ? EthernetView.LENGTH + VlanView.LENGTH : EthernetView.LENGTH);
            Ethernet ethernet = new Ethernet(
                    NetworkOrder.u48(segment, offset),
                    NetworkOrder.u48(segment, offset + 6),
                    tagged ? NetworkOrder.u16(segment, offset + 16) : type,
                    tagged ? NetworkOrder.u16(segment, offset + 14) & 0xfff : -1);
            Ip ip = ip(segment, at);
            long transport = at + ip.headerLength;
            long end = offset + length;
            if (ethernet.type != IPV4 || ip.version != 4 || ip.protocol != UDP || end - transport < UdpView.LENGTH) {
                return null;
            }
            Udp udp = new Udp(
                    NetworkOrder.u16(segment, transport),
                    NetworkOrder.u16(segment, transport + 2),
                    NetworkOrder.u16(segment, transport + 4),
                    NetworkOrder.u16(segment, transport + 6));
            payloadOffset = transport + UdpView.LENGTH;
            payloadLength = (int) Math.min(udp.length - UdpView.LENGTH, end - payloadOffset);
            return new Packet(ethernet, ip, udp);
        }

        private static Ip ip(MemorySegment segment, long at) {
            int first = NetworkOrder.u8(segment, at);
            return new Ip(
                    first >>> 4,
                    (first & 15) << 2,
                    NetworkOrder.u8(segment, at + 1),
                    NetworkOrder.u16(segment, at + 2),
                    NetworkOrder.u16(segment, at + 4),
                    NetworkOrder.u16(segment, at + 6),
                    NetworkOrder.u8(segment, at + 8),
                    NetworkOrder.u8(segment, at + 9),
                    NetworkOrder.u16(segment, at + 10),
                    NetworkOrder.u32(segment, at + 12),
                    NetworkOrder.u32(segment, at + 16));
        }

        @Override
        long payloadOffset() {
            return payloadOffset;
        }

        @Override
        int payloadLength() {
            return payloadLength;
        }
    }
}
