package io.offhook.pcap;

/**
 * The block types of a pcapng file (draft-ietf-opsawg-pcapng, section 4), and the frame of every block: its type, and
 * its length at both ends.
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

    /** The first field in the body of a section header, in the byte order of the section. */
    public static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;

    /** Describes an interface; its number is its position in the section. */
    public static final int INTERFACE_DESCRIPTION = 1;
    /** The Packet Block, which the enhanced one replaced. */
    public static final int OBSOLETE_PACKET = 2;

    /** A packet without time and options, of the first interface of the section. */
    public static final int SIMPLE_PACKET = 3;

    /** Names of addresses. */
    public static final int NAME_RESOLUTION = 4;
    /** Statistics of an interface. */
    public static final int INTERFACE_STATISTICS = 5;
    /** A packet with its interface, time and options. */
    public static final int ENHANCED_PACKET = 6;
    /** Keys, such as a TLS key log. */
    public static final int DECRYPTION_SECRETS = 10;
    /** A custom block that may be copied when the file is edited. */
    public static final int CUSTOM = 0x0000_0bad;
    /** A custom block that must not be copied when the file is edited. */
    public static final int CUSTOM_NOT_COPIED = 0x4000_0bad;

    /** The length of type and length in front of the body, in bytes. */
    public static final int HEADER = 8;
    /** The length of the repeated length after the body, in bytes. */
    public static final int TRAILER = 4;

    /** The length of a block without a body, in bytes. */
    public static final int LEAST_LENGTH = HEADER + TRAILER;

    private PcapNgBlock() {}

    /** Returns whether blocks of a type contain a packet. */
    public static boolean isPacket(int type) {
        return type == ENHANCED_PACKET || type == SIMPLE_PACKET || type == OBSOLETE_PACKET;
    }

    /**
     * Returns the length with padding to 32 bits: some writers do not include the padding in the length they declare.
     */
    public static long padded(long length) {
        return length + 3 & ~3L;
    }
}
