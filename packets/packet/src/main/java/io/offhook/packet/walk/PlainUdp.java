package io.offhook.packet.walk;

import io.offhook.packet.EtherType;
import io.offhook.packet.IpProtocol;
import io.offhook.packet.LittleEndian;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.transport.UdpView;
import java.lang.foreign.MemorySegment;

/**
 * The shortcut for most packets of calls: Ethernet, an unfragmented IPv4 packet without options, and UDP on ports of no
 * tunnel. Its result is exactly that of the steps of {@link CommonPath}, or none.
 *
 * <p>Three reads decide whether a frame is of that kind; all positions follow from that. It matters most before
 * HotSpot's second compiler has finished, when each read, call and field costs time; for a capture of some seconds,
 * that is the whole run. The words are compared as they lie in memory: the first compiler swaps their bytes one by one.
 */
final class PlainUdp {
    static final int IP = EthernetView.LENGTH;
    static final int UDP = IP + Ipv4View.MIN_LENGTH;
    static final int PAYLOAD = UDP + UdpView.LENGTH;

    /** The offset of the eight bytes whose second half has the type and the version. */
    static final int TYPE_WORD = EthernetView.TYPE - 4;

    /** Type IPv4, version 4, header length 5: bytes 12 to 14 of the frame, within the eight bytes from byte 8 on. */
    private static final long IPV4_WITHOUT_OPTIONS = Long.reverseBytes((EtherType.IPV4 << 8 | 0x45L) << 8);

    private static final long TYPE_AND_VERSION = Long.reverseBytes(0xffff_ff00L);

    /** Within the eight bytes from the total length on: more fragments, fragment offset, protocol. */
    private static final long FRAGMENT_AND_PROTOCOL =
            Long.reverseBytes(0x3fffL << 64 - 8 * (Ipv4View.FLAGS_OFFSET + 2 - Ipv4View.TOTAL_LENGTH)
                    | 0xffL << 64 - 8 * (Ipv4View.PROTOCOL + 1 - Ipv4View.TOTAL_LENGTH));

    private static final long UNFRAGMENTED_UDP = Long.reverseBytes(IpProtocol.UDP);

    private static final int IDENTIFICATION_SHIFT = 8 * (Ipv4View.IDENTIFICATION - Ipv4View.TOTAL_LENGTH);
    private static final int PORTS_SHIFT = 8 * UdpView.SOURCE_PORT;
    private static final int LENGTH_SHIFT = 8 * UdpView.DATAGRAM_LENGTH;

    private PlainUdp() {}

    /** Walks an Ethernet frame; false, with nothing changed, if it is not of that kind. */
    static boolean walk(Walk walk, MemorySegment segment, long base, int capturedLength) {
        if (capturedLength < PAYLOAD || capturedLength > Walk.MAX_LENGTH) {
            return false;
        }
        long typeAndVersion = LittleEndian.bits64(segment, base + TYPE_WORD);
        long ip = LittleEndian.bits64(segment, base + IP + Ipv4View.TOTAL_LENGTH);
        long udp = LittleEndian.bits64(segment, base + UDP);
        int totalLength = u16(ip);
        int udpLength = u16(udp >>> LENGTH_SHIFT);
        int ports = Integer.reverseBytes((int) (udp >>> PORTS_SHIFT));
        if ((typeAndVersion & TYPE_AND_VERSION) != IPV4_WITHOUT_OPTIONS
                || (ip & FRAGMENT_AND_PROTOCOL) != UNFRAGMENTED_UDP
                || totalLength < PAYLOAD - IP
                || udpLength < PAYLOAD - UDP
                || Math.min(ports >>> 16, ports & 0xffff) <= UdpTunnels.HIGHEST_PORT) {
            return false;
        }
        int ipWireEnd = IP + totalLength;
        int udpWireEnd = Math.min(UDP + udpLength, ipWireEnd);
        int ipEnd = Math.min(capturedLength, ipWireEnd);
        int udpEnd = Math.min(capturedLength, udpWireEnd);
        walk.networkWord = ip;
        walk.plainUdp(segment, base, capturedLength, ipEnd, ipWireEnd, udpEnd, udpWireEnd, ports);
        return true;
    }

    /** The identification among the bytes from the total length on. */
    static int identification(long networkWord) {
        return u16(networkWord >>> IDENTIFICATION_SHIFT);
    }

    /** The number whose two bytes, the highest first, are the lowest of those read. */
    private static int u16(long bytes) {
        return (int) bytes << 8 & 0xff00 | (int) bytes >>> 8 & 0xff;
    }
}
