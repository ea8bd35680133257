package io.offhook.packet.link;

import io.offhook.packet.FieldBits;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The header of Linux netfilter log records, as captured (LINKTYPE_NFLOG). Attributes follow, in the byte order of the
 * capturing machine; the walk finds the packet among them.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+-------------------------------+
 * |     family    |    version    |             group             |
 * +---------------+---------------+-------------------------------+
 * | attributes ...
 * </pre>
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes. Setters write in place,
 * and fail on a read-only segment. After setting a type, a flag or a length, wrap again.
 */
public final class NflogView implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;

    /** The offset of the family, in bytes. */
    public static final int FAMILY = 0;

    private static final int VERSION = 1;
    private static final int GROUP = 2;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public NflogView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.NFLOG;
    }

    /**
     * Wraps a header: TRUNCATED below 4 bytes.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        return WrapStatus.OK;
    }

    /** The address family of the packet: 2 IPv4, 10 IPv6. */
    public int family() {
        return NetworkOrder.u8(segment, offset + FAMILY);
    }

    /** Sets {@link #family()}; 0 to 255. */
    public NflogView family(int family) {
        FieldBits.put(segment, offset, 8 * FAMILY, 8, "family", family);
        return this;
    }

    /** The version stated in the header. */
    public int version() {
        return NetworkOrder.u8(segment, offset + VERSION);
    }

    /** Sets {@link #version()}; 0 to 255. */
    public NflogView version(int version) {
        FieldBits.put(segment, offset, 8 * VERSION, 8, "version", version);
        return this;
    }

    /** The log group that the packet was sent to. */
    public int group() {
        return NetworkOrder.u16(segment, offset + GROUP);
    }

    /** Sets {@link #group()}; 0 to 65535. */
    public NflogView group(int group) {
        FieldBits.put(segment, offset, 8 * GROUP, 16, "group", group);
        return this;
    }

    /** The offset in the segment of the first byte after the header. */
    public long payloadOffset() {
        return offset + LENGTH;
    }

    /** The number of available bytes after the header. */
    public int payloadLength() {
        return length - LENGTH;
    }

    @Override
    public String toString() {
        return "nflog group " + group();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "nflog",
                    HeaderLayout.of(LENGTH)
                            .number("family", FAMILY, 8)
                            .number("version", VERSION, 8)
                            .number("group", GROUP, 16));
        }
    }
}
