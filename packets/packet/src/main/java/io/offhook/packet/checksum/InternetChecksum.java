package io.offhook.packet.checksum;

import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.buffer.CompositeBuffer;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The checksum of IPv4, TCP, UDP and ICMP (RFC 1071), and the verdict on that of any layer, asked for explicitly: a
 * capture on the sending host holds packets whose checksum the network card was to fill in, so a wrong one says little.
 */
public final class InternetChecksum {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG_UNALIGNED.varHandle();
    /** Bytes from which on wide words pay. */
    private static final int LONG = 64;

    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private InternetChecksum() {}

    /** The verdict on a checksum. */
    public enum Verdict {
        /** It matches the bytes that it covers. */
        CORRECT,
        /** It does not match them. */
        WRONG,
        /**
         * Not made yet: what stands there is what a sender leaves to its network card to complete, in TCP and UDP the
         * sum of the pseudo header, in SCTP 0. The capture was taken before the card did.
         */
        PARTIAL,
        /** The sender made none: UDP's 0 over IPv4, or in a tunnel over IPv6 (RFC 6935); GRE without its flag. */
        ABSENT,
        /** Not all bytes are there (a fragment, or snapped), or the protocol has another one or none. */
        UNKNOWN
    }

    /**
     * The ones' complement sum of 16-bit words, folded to 16 bits, not inverted; an odd last byte counts as the high
     * half of a word.
     *
     * @param length in bytes, below 8 GB
     * @param sum what to add it to: 0, or an earlier sum over an even number of bytes
     */
    public static int sum(MemorySegment segment, long offset, long length, int sum) {
        long total = sum;
        long at = offset;
        long end = offset + length;
        if (length >= LONG) {
            long wide = length & -8;
            total += ofWords(segment, offset, wide >>> 3);
            at += wide;
        }
        for (; end - at >= 4; at += 4) {
            total += NetworkOrder.u32(segment, at);
        }
        if (end - at >= 2) {
            total += NetworkOrder.u16(segment, at);
            at += 2;
        }
        if (at < end) {
            total += (long) NetworkOrder.u8(segment, at) << 8;
        }
        return fold(total);
    }

    /**
     * In the machine's order, which gives the same with its bytes turned around (RFC 1071, 2 B). A loop of this form is
     * made into vector instructions.
     */
    private static int ofWords(MemorySegment segment, long offset, long words) {
        long low = 0;
        long high = 0;
        for (long i = 0; i < words; i++) {
            long word = (long) WORD.get(segment, offset + (i << 3));
            low += word & 0xffff_ffffL;
            high += word >>> 32;
        }
        int sum = fold(low + high);
        return IS_LITTLE_ENDIAN ? swapped(sum) : sum;
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
        int before = sum(segment, offset, Ipv4View.CHECKSUM, 0);
        int behind = Ipv4View.CHECKSUM + 2;
        return ~sum(segment, offset + behind, headerLength - behind, before) & 0xffff;
    }

    /**
     * What becomes of a checksum when 16 bits that it covers, at an even place, change (RFC 1624, 3, equation 3). A
     * wrong one stays as wrong as it was.
     *
     * @param checksum as it stands in the header
     */
    public static int update(int checksum, int before, int after) {
        return ~fold((~checksum & 0xffffL) + (~before & 0xffff) + (after & 0xffff)) & 0xffff;
    }

    /** Of the transport layer that a walk found, with the pseudo header where the protocol has one. */
    public static Verdict transport(PacketWalker walker) {
        return walker.transport() < 0 ? Verdict.UNKNOWN : of(walker, walker.transport());
    }

    /**
     * Of any layer that a walk found: IPv4's header, TCP, UDP, UDP-Lite and DCCP as far as theirs covers, ICMP, ICMPv6,
     * SCTP, IGMP, PIM, VRRP, OSPF version 3, IPv6 mobility, GRE where it has one.
     *
     * @param i 0 for the outermost layer
     */
    public static Verdict of(PacketWalker walker, int i) {
        LayerType type = walker.layerType(i);
        int at = ChecksumField.at(walker, i);
        if (at < 0) {
            return type == LayerType.GRE ? Verdict.ABSENT : Verdict.UNKNOWN;
        }
        long header = walker.layerOffset(i);
        MemorySegment segment = walker.segment();
        if (type == LayerType.IPV4) {
            int length = (NetworkOrder.u8(segment, header) & 15) << 2;
            return walker.layerHeaderLength(i) < length ? Verdict.UNKNOWN : ipv4Header(segment, header, length);
        }
        if (!ChecksumField.isWhole(walker, i)) {
            return Verdict.UNKNOWN;
        }
        int length = ChecksumField.coverage(walker, i);
        if (type == LayerType.SCTP) {
            long field = NetworkOrder.u32(segment, header + at);
            boolean isRight = field == Crc32c.sctp(segment, header, length);
            return isRight ? Verdict.CORRECT : field == 0 ? Verdict.PARTIAL : Verdict.WRONG;
        }
        int field = NetworkOrder.u16(segment, header + at);
        if (type == LayerType.UDP && field == 0) {
            return Verdict.ABSENT;
        }
        int pseudoHeader = ChecksumField.pseudoHeader(walker, i);
        if (pseudoHeader < 0) {
            return Verdict.UNKNOWN;
        }
        if (sum(segment, header, length, pseudoHeader) == 0xffff) {
            return Verdict.CORRECT;
        }
        boolean isOffloaded = type == LayerType.TCP || type == LayerType.UDP;
        return isOffloaded && field == pseudoHeader && field != 0 ? Verdict.PARTIAL : Verdict.WRONG;
    }

    /**
     * Adds up the 16-bit words of a sum, with end-around carry (RFC 1071); the result is not complemented.
     *
     * @param total taken as unsigned, all 64 bits
     * @return 0 to 65535
     */
    public static int fold(long total) {
        long folded = (total & 0xffff_ffffL) + (total >>> 32);
        folded = (folded & 0xffff) + (folded >>> 16);
        folded = (folded & 0xffff) + (folded >>> 16);
        return (int) ((folded & 0xffff) + (folded >>> 16));
    }
}
