package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
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
 */
public final class NflogView extends CarrierView<NflogView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;

    /** The offset of the family, in bytes. */
    public static final int FAMILY = 0;

    private static final int VERSION = 1;
    private static final int GROUP = 2;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public NflogView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.NFLOG;
    }

    /** Wraps a header: TRUNCATED below 4 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** The address family of the packet: 2 IPv4, 10 IPv6. */
    public int family() {
        return u8(FAMILY);
    }

    /** Sets {@link #family()}; 0 to 255. */
    public NflogView family(int family) {
        return putU8(FAMILY, "family", family);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION);
    }

    /** Sets {@link #version()}; 0 to 255. */
    public NflogView version(int version) {
        return putU8(VERSION, "version", version);
    }

    /** The log group that the packet was sent to. */
    public int group() {
        return u16(GROUP);
    }

    /** Sets {@link #group()}; 0 to 65535. */
    public NflogView group(int group) {
        return putU16(GROUP, "group", group);
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
