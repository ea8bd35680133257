package io.offhook.pcap;

/**
 * What every block of a pcapng file has: a type, and its length at both ends.
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
final class PcapNgBlock {
    /** The same in both byte orders. */
    static final int SECTION_HEADER = 0x0a0d0d0a;

    /** First in the body of a section header, in the byte order of the section. */
    static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;

    static final int INTERFACE_DESCRIPTION = 1;
    static final int OBSOLETE_PACKET = 2;
    static final int SIMPLE_PACKET = 3;
    static final int INTERFACE_STATISTICS = 5;
    static final int ENHANCED_PACKET = 6;

    /** Bytes of type and length in front of the body. */
    static final int HEADER = 8;
    /** Bytes of the length behind it. */
    static final int TRAILER = 4;

    static final int LEAST_LENGTH = HEADER + TRAILER;

    private PcapNgBlock() {}

    /** The length that the block takes up: some writers leave the padding of the body out of what they announce. */
    static long padded(long length) {
        return length + 3 & ~3L;
    }
}
