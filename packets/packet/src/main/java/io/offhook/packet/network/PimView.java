package io.offhook.packet.network;

import io.offhook.packet.CarrierView;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The header that all messages of PIM version 2 begin with (RFC 7761, 4.9).
 *
 * <pre>
 *  0               8               16              24              32
 * +-------+-------+---------------+-------------------------------+
 * |version|  type |    reserved   |            checksum           |
 * +-------+-------+---------------+-------------------------------+
 * </pre>
 */
public final class PimView extends CarrierView<PimView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;

    /** Bytes of a register before the packet that it is about (RFC 7761, 4.9.3). */
    public static final int REGISTER_LENGTH = 8;

    /** The offset of version and type (4 bits each), in bytes. */
    public static final int VERSION = 0;

    private static final int RESERVED = 1;
    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 2;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public PimView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.PIM;
    }

    /** Wraps a header: TRUNCATED below 4 bytes, UNSUPPORTED if its version is not 2. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + VERSION) >>> 4 != 2) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION) >>> 4;
    }

    /** Sets {@link #version()}; 0 to 15. */
    public PimView version(int version) {
        return putBits(VERSION, 0, 4, "version", version);
    }

    /** 0 hello, 1 register, 2 register stop, 3 join or prune, 4 bootstrap, 5 assert, 8 candidate. */
    public int type() {
        return u8(VERSION) & 0xf;
    }

    /** Sets {@link #type()}; 0 to 15. */
    public PimView type(int type) {
        return putBits(VERSION, 4, 4, "type", type);
    }

    /** Of some types: flags. */
    public int reserved() {
        return u8(RESERVED);
    }

    /** Sets {@link #reserved()}; 0 to 255. */
    public PimView reserved(int reserved) {
        return putU8(RESERVED, "reserved", reserved);
    }

    /** The checksum; that of a register covers the first 8 bytes only. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public PimView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    @Override
    public String toString() {
        return "pim type " + type();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<PimView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "pim",
                    new PimView(),
                    HeaderLayout.of(LENGTH)
                            .bits("version", VERSION, 0, 4)
                            .bits("type", VERSION, 4, 4)
                            .number("reserved", RESERVED, 8)
                            .number("checksum", CHECKSUM, 16));
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            to.text(layer.wrap(view) ? name(view.type()) : "malformed");
            return true;
        }

        private static String name(int type) {
            return switch (type) {
                case 0 -> "hello";
                case 1 -> "register";
                case 2 -> "register stop";
                case 3 -> "join/prune";
                case 4 -> "bootstrap";
                case 5 -> "assert";
                case 8 -> "candidate";
                default -> "type " + type;
            };
        }
    }
}
