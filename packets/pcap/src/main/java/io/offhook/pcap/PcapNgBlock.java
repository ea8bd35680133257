package io.offhook.pcap;

/**
 * The types of block of a pcapng file (draft-ietf-opsawg-pcapng, section 4), and what every block has: a type, and its length at both ends.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                          Block type                           |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                      Block total length                       |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * /                    Body, padded to 32 bits                    /
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                      Block total length                       |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 */
public final class PcapNgBlock {
    /** Starts a section; the number is the same in both byte orders. */
    public static final int SECTION_HEADER = 0x0a0d0d0a;

    /** First in the body of a section header, in the byte order of the section. */
    public static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;

    /** A type of block (draft-ietf-opsawg-pcapng, 4). */
    public static final int INTERFACE_DESCRIPTION = 1;
    /** The Packet Block that the enhanced one took the place of. */
    public static final int OBSOLETE_PACKET = 2;

    /** A packet without time, options or interface (it is of the section's first). */
    public static final int SIMPLE_PACKET = 3;

    /** A type of block (draft-ietf-opsawg-pcapng, 4). */
    public static final int NAME_RESOLUTION = 4;
    /** A type of block (draft-ietf-opsawg-pcapng, 4). */
    public static final int INTERFACE_STATISTICS = 5;
    /** A type of block (draft-ietf-opsawg-pcapng, 4). */
    public static final int ENHANCED_PACKET = 6;
    /** Keys, for instance a TLS key log. */
    public static final int DECRYPTION_SECRETS = 10;
    /** Somebody's own, that may be copied into a file that was edited. */
    public static final int CUSTOM = 0x0000_0bad;
    /** Somebody's own, that makes no sense in a file that was edited. */
    public static final int CUSTOM_NOT_COPIED = 0x4000_0bad;

    /** Bytes of type and length in front of the body. */
    public static final int HEADER = 8;
    /** Bytes of the length behind it. */
    public static final int TRAILER = 4;

    public static final int LEAST_LENGTH = HEADER + TRAILER;

    private PcapNgBlock() {}

    /** Whether blocks of a type hold a packet. */
    public static boolean isPacket(int type) {
        return type == ENHANCED_PACKET || type == SIMPLE_PACKET || type == OBSOLETE_PACKET;
    }

    /** The length that the block takes up: some writers leave the padding of the body out of what they announce. */
    public static long padded(long length) {
        return length + 3 & ~3L;
    }
}
