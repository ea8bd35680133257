package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * The shortcut for who asks for TCP or UDP and for nothing above: Ethernet, IPv4 without options and whole, and a header
 * of either that is all there. It leaves behind exactly what the walk by steps would, or nothing.
 */
final class PlainTransport {
    private static final int HEADER = PlainUdp.UDP;
    private static final int TCP_OFFSET = HEADER + 12;
    private static final int TCP_MIN_END = HEADER + TcpView.MIN_LENGTH;

    /** Type IPv4, version 4, header length 5: bytes 12 to 14 of the frame, among those from 8 on. */
    private static final long IPV4_WITHOUT_OPTIONS = (CommonPath.TYPE_IPV4 << 8 | 0x45L) << 8;

    private static final long TYPE_AND_VERSION = 0xffff_ff00L;

    /** Of the eight bytes from the total length on: more fragments, fragment offset. */
    private static final long FRAGMENT = 0x3fff_0000L;

    private PlainTransport() {}

    /** Walks the frame, which is Ethernet; false, and nothing is changed, when it is not of that kind. */
    static boolean walk(Walk walk, MemorySegment segment, long base, int capturedLength) {
        if (capturedLength < PlainUdp.PAYLOAD || capturedLength > Walk.MAX_LENGTH) {
            return false;
        }
        long typeAndVersion = NetworkOrder.bits64(segment, base + 8);
        long ip = NetworkOrder.bits64(segment, base + PlainUdp.IP + 2);
        if ((typeAndVersion & TYPE_AND_VERSION) != IPV4_WITHOUT_OPTIONS || (ip & FRAGMENT) != 0) {
            return false;
        }
        int ipWireEnd = PlainUdp.IP + (int) (ip >>> 48);
        int ipEnd = Math.min(capturedLength, ipWireEnd);
        return switch ((int) ip & 0xff) {
            case CommonPath.PROTOCOL_TCP -> tcp(walk, segment, base, capturedLength, ipEnd, ipWireEnd);
            case CommonPath.PROTOCOL_UDP -> udp(walk, segment, base, capturedLength, ipEnd, ipWireEnd);
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
        walk.plainIpv4(segment, base, captured, ipEnd, ipWireEnd, CommonPath.PROTOCOL_TCP, ports);
        walk.plainTransport(LayerType.TCP, HEADER, length, ipEnd, ipWireEnd);
        return true;
    }

    private static boolean udp(Walk walk, MemorySegment segment, long base, int captured, int ipEnd, int ipWireEnd) {
        if (ipEnd < PlainUdp.PAYLOAD) {
            return false;
        }
        long header = NetworkOrder.bits64(segment, base + HEADER);
        int length = (int) (header >>> 16) & 0xffff;
        if (length < UdpView.LENGTH) {
            return false;
        }
        int wireEnd = Math.min(HEADER + length, ipWireEnd);
        walk.plainIpv4(segment, base, captured, ipEnd, ipWireEnd, CommonPath.PROTOCOL_UDP, (int) (header >>> 32));
        walk.plainTransport(LayerType.UDP, HEADER, UdpView.LENGTH, Math.min(captured, wireEnd), wireEnd);
        return true;
    }
}
