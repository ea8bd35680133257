package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/**
 * The shortcut for what most packets of calls are: Ethernet, IPv4 without options and whole, UDP on ports that no tunnel
 * has. It leaves behind exactly what the steps of {@link CommonPath} would, or nothing.
 *
 * <p>Three reads tell whether a frame is one; all positions follow. It counts most where each read, call and field costs:
 * before HotSpot's second compiler is done, which for a capture of some seconds is all the time.
 */
final class PlainUdp {
    static final int IP = EthernetView.LENGTH;
    static final int UDP = IP + 20;
    static final int PAYLOAD = UDP + 8;

    /** Type IPv4, version 4, header length 5: bytes 12 to 14 of the frame, among those from 8 on. */
    private static final long IPV4_WITHOUT_OPTIONS = (CommonPath.TYPE_IPV4 << 8 | 0x45L) << 8;

    private static final long TYPE_AND_VERSION = 0xffff_ff00L;

    /** Of the eight bytes from the total length on: more fragments, fragment offset, protocol. */
    private static final long FRAGMENT_AND_PROTOCOL = 0x3fff_00ffL;

    private PlainUdp() {}

    /** Walks the frame, which is Ethernet; false, and nothing is changed, when it is not of that kind. */
    static boolean walk(Walk walk, MemorySegment segment, long base, int capturedLength) {
        if (capturedLength < PAYLOAD || capturedLength > Walk.MAX_LENGTH) {
            return false;
        }
        long typeAndVersion = NetworkOrder.bits64(segment, base + 8);
        long ip = NetworkOrder.bits64(segment, base + IP + 2);
        long udp = NetworkOrder.bits64(segment, base + UDP);
        int totalLength = (int) (ip >>> 48);
        int udpLength = (int) (udp >>> 16) & 0xffff;
        int ports = (int) (udp >>> 32);
        if ((typeAndVersion & TYPE_AND_VERSION) != IPV4_WITHOUT_OPTIONS
                || (ip & FRAGMENT_AND_PROTOCOL) != CommonPath.PROTOCOL_UDP
                || totalLength < PAYLOAD - IP
                || udpLength < PAYLOAD - UDP
                || Math.min(ports >>> 16, ports & 0xffff) <= UdpTunnels.HIGHEST_PORT) {
            return false;
        }
        int ipWireEnd = IP + totalLength;
        int udpWireEnd = Math.min(UDP + udpLength, ipWireEnd);
        int ipEnd = Math.min(capturedLength, ipWireEnd);
        int udpEnd = Math.min(capturedLength, udpWireEnd);
        walk.plainUdp(segment, base, capturedLength, ipEnd, ipWireEnd, udpEnd, udpWireEnd, ports);
        return true;
    }
}
