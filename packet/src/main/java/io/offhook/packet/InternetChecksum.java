package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The checksum of IPv4, TCP, UDP and ICMP (RFC 1071), asked for explicitly: a capture on the sending host holds packets
 * whose checksum the network card was to fill in, so a wrong one says little.
 */
public final class InternetChecksum {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG_UNALIGNED.varHandle();
    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int UDP_CHECKSUM = 6;
    private static final int TCP_CHECKSUM = 16;
    private static final int ICMP_CHECKSUM = 2;
    private static final int SEGMENTS_LEFT = 3;

    private InternetChecksum() {}

    /** What a checksum was found to be. */
    public enum Verdict {
        CORRECT,
        WRONG,
        /** The sender made none: UDP's 0 over IPv4, or in a tunnel over IPv6 (RFC 6935). */
        ABSENT,
        /** Not all bytes are there (a fragment, or snapped), or the protocol has another one or none. */
        UNKNOWN
    }

    /**
     * The ones' complement sum of 16-bit words, folded to 16 bits, not inverted; an odd last byte counts as the high half
     * of a word.
     *
     * @param length in bytes, below 16 GB
     * @param sum what to add it to: 0, or an earlier sum over an even number of bytes
     */
    public static int sum(MemorySegment segment, long offset, long length, int sum) {
        // in the machine's order, 64 bits at a time: RFC 1071, 2 (B) and (C) say why that gives the same, bytes turned
        // around
        long even = 0;
        long odd = 0;
        long at = offset;
        long end = offset + length;
        for (; end - at >= 16; at += 16) {
            long first = (long) WORD.get(segment, at);
            long second = (long) WORD.get(segment, at + 8);
            even += (first & 0xffff_ffffL) + (second & 0xffff_ffffL);
            odd += (first >>> 32) + (second >>> 32);
        }
        int words = fold(fold(even) + (long) fold(odd));
        long total = (long) (IS_LITTLE_ENDIAN ? swapped(words) : words) + sum;
        for (; end - at >= 2; at += 2) {
            total += NetworkOrder.u16(segment, at);
        }
        if (at < end) {
            total += (long) NetworkOrder.u8(segment, at) << 8;
        }
        return fold(total);
    }

    /** The same over {@code length} bytes of a composite buffer; where its seams are makes no difference. */
    public static int sum(CompositeBuffer buffer, long position, long length, int sum) {
        buffer.check(position, length);
        int total = sum;
        for (long done = 0; done < length; ) {
            long at = position + done;
            long part = Math.min(buffer.contiguousLength(at), length - done);
            int ofPart = sum(buffer.segmentAt(at), buffer.offsetAt(at), part, 0);
            total = fold((long) total + ((done & 1) == 0 ? ofPart : swapped(ofPart)));
            done += part;
        }
        return total;
    }

    private static int swapped(int word) {
        return Integer.reverseBytes(word) >>> 16;
    }

    /** Of an IPv4 header: correct when all of it sums up to ones. */
    public static Verdict ipv4Header(MemorySegment segment, long offset, int headerLength) {
        return sum(segment, offset, headerLength, 0) == 0xffff ? Verdict.CORRECT : Verdict.WRONG;
    }

    /** The value that belongs in the checksum field of an IPv4 header, whatever stands there. */
    public static int ofIpv4Header(MemorySegment segment, long offset, int headerLength) {
        int before = sum(segment, offset, 10, 0);
        return ~sum(segment, offset + 12, headerLength - 12, before) & 0xffff;
    }

    /** Of the transport layer that a walk found, with the pseudo header where the protocol has one. */
    public static Verdict transport(PacketWalker walker) {
        int layer = walker.transport();
        if (layer < 0 || walker.isFragment() || walker.isSnapped() || isBroken(walker, layer)) {
            return Verdict.UNKNOWN;
        }
        LayerType type = walker.layerType(layer);
        int field = switch (type) {
            case UDP -> UDP_CHECKSUM;
            case TCP -> TCP_CHECKSUM;
            case ICMP, ICMPV6 -> ICMP_CHECKSUM;
            default -> -1;
        };
        long header = walker.layerOffset(layer);
        int length = walker.layerLength(layer);
        if (field < 0 || length < field + 2 || isRoutedOn(walker)) {
            return Verdict.UNKNOWN;
        }
        MemorySegment segment = walker.segment();
        if (type == LayerType.UDP && NetworkOrder.u16(segment, header + field) == 0) {
            return Verdict.ABSENT;
        }
        int pseudoHeader = type == LayerType.ICMP ? 0 : pseudoHeader(walker, length);
        return sum(segment, header, length, pseudoHeader) == 0xffff ? Verdict.CORRECT : Verdict.WRONG;
    }

    private static boolean isBroken(PacketWalker walker, int layer) {
        return switch (walker.stop()) {
            case TRUNCATED, MALFORMED -> walker.frameOffset() + walker.stopOffset() == walker.layerOffset(layer);
            case COMPLETE, UNSUPPORTED, TOO_DEEP -> false;
        };
    }

    /** RFC 9293, 3.1 and RFC 8200, 8.1: addresses, protocol and length. */
    private static int pseudoHeader(PacketWalker walker, int length) {
        int network = walker.network();
        boolean isIpv4 = walker.layerType(network) == LayerType.IPV4;
        long addresses = walker.layerOffset(network) + (isIpv4 ? 12 : 8);
        int sum = sum(walker.segment(), addresses, isIpv4 ? 8 : 32, 0);
        return fold((long) sum + walker.protocol() + length);
    }

    /** While segments are left, the final destination, which counts, stands in the routing header. */
    private static boolean isRoutedOn(PacketWalker walker) {
        int routing = walker.lastIndexOf(LayerType.ROUTING);
        return routing > walker.network()
                && NetworkOrder.u8(walker.segment(), walker.layerOffset(routing) + SEGMENTS_LEFT) != 0;
    }

    private static int fold(long total) {
        long folded = (total & 0xffff_ffffL) + (total >>> 32);
        folded = (folded & 0xffff) + (folded >>> 16);
        folded = (folded & 0xffff) + (folded >>> 16);
        return (int) ((folded & 0xffff) + (folded >>> 16));
    }
}
