package io.offhook.testkit.traffic;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Cuts IP packets into fragments (RFC 791 section 3.2, RFC 8200 section 4.5). */
public final class IpFragments {
    /** In what order and how often the fragments of a packet are sent. */
    public enum Style {
        IN_ORDER,
        REVERSED,
        SHUFFLED,
        /** Each one twice. */
        DUPLICATED,
        /** Each one also repeats the eight last bytes of the one before, unchanged. */
        OVERLAPPING,
        /** The last one is not captured: the packet can never be put together, and SIP in it is known from what comes first. */
        LAST_MISSING
    }

    private IpFragments() {}

    /**
     * The fragments of {@code packet} in order; the packet itself, alone, if it fits.
     *
     * @param mtu bytes that an IP packet may have
     * @param identification 16 bits are used for IPv4, 32 for IPv6
     */
    public static List<byte[]> split(byte[] packet, int mtu, long identification) {
        return split(packet, mtu, identification, 0);
    }

    /** The fragments of {@code packet} as {@code style} sends them. */
    public static List<byte[]> split(byte[] packet, int mtu, long identification, Style style, Random random) {
        List<byte[]> parts = new ArrayList<>(split(packet, mtu, identification, style == Style.OVERLAPPING ? 8 : 0));
        switch (style) {
            case IN_ORDER, OVERLAPPING -> {}
            case REVERSED -> Collections.reverse(parts);
            case SHUFFLED -> Collections.shuffle(parts, random);
            case DUPLICATED -> {
                List<byte[]> twice = new ArrayList<>();
                parts.forEach(part -> Collections.addAll(twice, part, part));
                parts = twice;
            }
            case LAST_MISSING -> {
                if (parts.size() > 1) {
                    parts.removeLast();
                }
            }
        }
        return parts;
    }

    private static List<byte[]> split(byte[] packet, int mtu, long identification, int overlap) {
        if (packet.length <= mtu) {
            return List.of(packet);
        }
        boolean version4 = packet[0] >>> 4 == 4;
        int header = version4 ? (packet[0] & 15) * 4 : unfragmentable(packet);
        int own = version4 ? header : header + 8;
        int step = (mtu - own) / 8 * 8 - overlap;
        if (step <= 0) {
            throw new IllegalArgumentException("an MTU of " + mtu + " leaves no room beside " + own + " header bytes");
        }
        int length = packet.length - header;
        List<byte[]> parts = new ArrayList<>();
        for (int at = 0; at < length; at += step) {
            int end = Math.min(at + step, length);
            int start = Math.max(0, at - overlap);
            byte[] piece = Arrays.copyOfRange(packet, header + start, header + end);
            parts.add(
                    version4
                            ? version4(packet, start, piece, end < length, (int) identification)
                            : version6(packet, header, start, piece, end < length, identification));
        }
        return parts;
    }

    private static byte[] version4(byte[] packet, int offset, byte[] piece, boolean more, int identification) {
        int headerLength = (packet[0] & 15) * 4;
        byte[] header = Arrays.copyOf(packet, offset == 0 ? headerLength : 20);
        if (offset > 0) {
            // only options with the copied flag belong into later fragments; the generator writes none of those
            header[0] = 0x45;
        }
        ByteBuffer fields = ByteBuffer.wrap(header);
        fields.putShort(2, (short) (header.length + piece.length));
        fields.putShort(4, (short) identification);
        fields.putShort(6, (short) ((more ? 0x2000 : 0) | offset / 8));
        fields.putShort(10, (short) 0);
        fields.putShort(10, (short) Checksums.internet(header, 0, header.length));
        return new Octets().bytes(header).bytes(piece).toArray();
    }

    private static byte[] version6(
            byte[] packet, int header, int offset, byte[] piece, boolean more, long identification) {
        byte[] front = Arrays.copyOf(packet, header);
        int nextAt = lastNextHeader(packet);
        int next = front[nextAt] & 0xff;
        front[nextAt] = Ip.IPV6_FRAGMENT;
        ByteBuffer.wrap(front).putShort(4, (short) (header - 40 + 8 + piece.length));
        return new Octets()
                .bytes(front)
                .u8(next)
                .u8(0)
                .u16(offset | (more ? 1 : 0))
                .u32(identification & 0xffff_ffffL)
                .bytes(piece)
                .toArray();
    }

    /** The length of what every fragment repeats: the header, hop-by-hop options and routing headers. */
    private static int unfragmentable(byte[] packet) {
        int next = packet[6] & 0xff;
        int at = 40;
        while (next == Ip.IPV6_HOP_BY_HOP || next == Ip.IPV6_ROUTING) {
            next = packet[at] & 0xff;
            at += ((packet[at + 1] & 0xff) + 1) * 8;
        }
        return at;
    }

    /** Where the next-header byte stands that announces the first header of the fragmentable part. */
    private static int lastNextHeader(byte[] packet) {
        int nextAt = 6;
        int at = 40;
        while (packet[nextAt] == Ip.IPV6_HOP_BY_HOP || packet[nextAt] == Ip.IPV6_ROUTING) {
            nextAt = at;
            at += ((packet[at + 1] & 0xff) + 1) * 8;
        }
        return nextAt;
    }
}
