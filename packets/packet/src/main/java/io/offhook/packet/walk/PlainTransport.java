package io.offhook.packet.walk;

import io.offhook.packet.EtherType;
import io.offhook.packet.IpProtocol;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.transport.UdpView;
import java.lang.foreign.MemorySegment;

/**
 * The shortcut for walks that stop at TCP or UDP: Ethernet, an unfragmented IPv4 packet without options, and a complete
 * TCP or UDP header. Its result is exactly that of the walk by steps, or none.
 */
final class PlainTransport {
    private static final int HEADER = PlainUdp.UDP;
    private static final int TCP_OFFSET = HEADER + TcpView.OFFSET_FLAGS;
    private static final int TCP_MIN_END = HEADER + TcpView.MIN_LENGTH;

    /** Type IPv4, version 4, header length 5: bytes 12 to 14 of the frame, within the eight bytes from byte 8 on. */
    private static final long IPV4_WITHOUT_OPTIONS = (EtherType.IPV4 << 8 | 0x45L) << 8;

    private static final long TYPE_AND_VERSION = 0xffff_ff00L;

    /** Within the eight bytes from the total length on: more fragments, fragment offset. */
    private static final long FRAGMENT = 0x3fffL << 64 - 8 * (Ipv4View.FLAGS_OFFSET + 2 - Ipv4View.TOTAL_LENGTH);

    private static final int PORTS_SHIFT = 64 - 8 * (UdpView.DESTINATION_PORT + 2);
    private static final int LENGTH_SHIFT = 64 - 8 * (UdpView.DATAGRAM_LENGTH + 2);

    private PlainTransport() {}

    /** Walks an Ethernet frame; false, with nothing changed, if it is not of that kind. */
    static boolean walk(Walk walk, MemorySegment segment, long base, int capturedLength) {
        if (capturedLength < PlainUdp.PAYLOAD || capturedLength > Walk.MAX_LENGTH) {
            return false;
        }
        long typeAndVersion = NetworkOrder.bits64(segment, base + PlainUdp.TYPE_WORD);
        long ip = NetworkOrder.bits64(segment, base + PlainUdp.IP + Ipv4View.TOTAL_LENGTH);
        if ((typeAndVersion & TYPE_AND_VERSION) != IPV4_WITHOUT_OPTIONS || (ip & FRAGMENT) != 0) {
            return false;
        }
        int ipWireEnd = PlainUdp.IP + (int) (ip >>> 48);
        int ipEnd = Math.min(capturedLength, ipWireEnd);
        return switch ((int) ip & 0xff) {
            case IpProtocol.TCP -> tcp(walk, segment, base, capturedLength, ipEnd, ipWireEnd);
            case IpProtocol.UDP -> udp(walk, segment, base, capturedLength, ipEnd, ipWireEnd);
            default -> false;
        };
    }

    private static boolean tcp(Walk walk, MemorySegment segment, long base, int captured, int ipEnd, int ipWireEnd) {
        if (ipEnd < TCP_MIN_END) {
            return false;
        }
        int length = NetworkOrder.u8(segment, base + TCP_OFFSET) >>> 4 << 2;
        if (length < TcpView.MIN_LENGTH || HEADER + length > ipEnd) {
            return false;
        }
        int ports = NetworkOrder.bits32(segment, base + HEADER);
        walk.plainIpv4(segment, base, captured, ipEnd, ipWireEnd, IpProtocol.TCP, ports);
        walk.plainTransport(LayerType.TCP, HEADER, length, ipEnd, ipWireEnd);
        return true;
    }

    private static boolean udp(Walk walk, MemorySegment segment, long base, int captured, int ipEnd, int ipWireEnd) {
        if (ipEnd < PlainUdp.PAYLOAD) {
            return false;
        }
        long header = NetworkOrder.bits64(segment, base + HEADER);
        int length = (int) (header >>> LENGTH_SHIFT) & 0xffff;
        if (length < UdpView.LENGTH) {
            return false;
        }
        int wireEnd = Math.min(HEADER + length, ipWireEnd);
        walk.plainIpv4(segment, base, captured, ipEnd, ipWireEnd, IpProtocol.UDP, (int) (header >>> PORTS_SHIFT));
        walk.plainTransport(LayerType.UDP, HEADER, UdpView.LENGTH, Math.min(captured, wireEnd), wireEnd);
        return true;
    }
}
