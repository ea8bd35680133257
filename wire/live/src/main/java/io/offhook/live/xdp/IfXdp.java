package io.offhook.live.xdp;

/**
 * {@code linux/if_xdp.h}: AF_XDP. The kernel declares the layout of its rings at run time. Numbers are in native byte
 * order; a test compares the constants with the C compiler's.
 *
 * <pre>
 *    0                                     32                                    64
 *   +---------------------------------------------------------------------------+
 *   |                   address of the frame in the shared memory               |     struct xdp_desc
 *   +-------------------------------------+-------------------------------------+
 *   |           length of the frame       |               options               |
 *   +-------------------------------------+-------------------------------------+
 * </pre>
 *
 * <p>The fill and completion rings hold addresses only.
 */
final class IfXdp {
    static final int AF_XDP = 44;
    static final int SOCK_RAW = 3;
    static final int SOL_XDP = 283;

    static final int XDP_MMAP_OFFSETS = 1;
    static final int XDP_RX_RING = 2;
    static final int XDP_TX_RING = 3;
    static final int XDP_UMEM_REG = 4;
    static final int XDP_UMEM_FILL_RING = 5;
    static final int XDP_UMEM_COMPLETION_RING = 6;
    static final int XDP_STATISTICS = 7;
    static final int XDP_OPTIONS = 8;

    static final int XDP_SHARED_UMEM = 1;
    static final int XDP_COPY = 1 << 1;
    static final int XDP_USE_NEED_WAKEUP = 1 << 3;
    /** Flag: frames may span several descriptors; since Linux 6.6. */
    static final int XDP_USE_SG = 1 << 4;
    /** Bit of a descriptor's options: the frame continues in the next one; since Linux 6.6. */
    static final int XDP_PKT_CONTD = 1;

    static final int XDP_OPTIONS_ZEROCOPY = 1;
    static final int XDP_RING_NEED_WAKEUP = 1;

    /** The offsets at which the rings are mapped. */
    static final long XDP_PGOFF_RX_RING = 0;

    static final long XDP_PGOFF_TX_RING = 0x80000000L;
    static final long XDP_UMEM_PGOFF_FILL_RING = 0x100000000L;
    static final long XDP_UMEM_PGOFF_COMPLETION_RING = 0x180000000L;

    /**
     * struct sockaddr_xdp: family (16), flags (16), interface (32), queue (32), descriptor of the socket that owns the
     * memory (32).
     */
    static final int ADDRESS_BYTES = 16;

    static final int ADDRESS_FLAGS = 2;
    static final int ADDRESS_INTERFACE = 4;
    static final int ADDRESS_QUEUE = 8;
    static final int ADDRESS_SHARED = 12;

    /** struct xdp_umem_reg in its first version: address, bytes, bytes of a chunk (32), headroom (32), flags (32). */
    static final int MEMORY_BYTES = 32;

    static final int MEMORY_LENGTH = 8;
    static final int MEMORY_CHUNK = 16;

    /** struct xdp_ring_offset, four of them in struct xdp_mmap_offsets: RX, TX, fill, completion. */
    static final int OFFSETS_BYTES = 128;

    static final int OFFSETS_TX = 32;
    static final int OFFSETS_FILL = 64;
    static final int OFFSETS_COMPLETION = 96;
    static final int RING_PRODUCER = 0;
    static final int RING_CONSUMER = 8;
    static final int RING_DESCRIPTORS = 16;
    static final int RING_FLAGS = 24;

    /** struct xdp_desc. */
    static final int DESCRIPTOR_BYTES = 16;

    static final int DESCRIPTOR_LENGTH = 8;
    static final int DESCRIPTOR_OPTIONS = 12;

    /** struct xdp_statistics: six counters of 64 bits, which only grow. */
    static final int STATISTICS_BYTES = 48;

    static final int STATISTICS_DROPPED = 0;
    static final int STATISTICS_TX_INVALID = 16;
    static final int STATISTICS_RING_FULL = 24;
    static final int STATISTICS_FILL_EMPTY = 32;

    private IfXdp() {}
}
