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
 * A header of Cisco's HDLC, of lines and of PPP links: address, control, and an EtherType.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+-------------------------------+
 * |    address    |    control    |              type             |
 * +---------------+---------------+-------------------------------+
 * </pre>
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes. Setters write in place,
 * and fail on a read-only segment. After setting a type, a flag or a length, wrap again.
 */
public final class CiscoHdlcView implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;

    private static final int ADDRESS = 0;
    private static final int CONTROL = 1;
    /** The offset of the type, in bytes. */
    public static final int TYPE = 2;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public CiscoHdlcView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.CISCO_HDLC;
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

    /** 0x0f for a unicast, 0x8f for a broadcast. */
    public int address() {
        return NetworkOrder.u8(segment, offset + ADDRESS);
    }

    /** Sets {@link #address()}; 0 to 255. */
    public CiscoHdlcView address(int address) {
        FieldBits.put(segment, offset, 8 * ADDRESS, 8, "address", address);
        return this;
    }

    /** 0 as a rule. */
    public int control() {
        return NetworkOrder.u8(segment, offset + CONTROL);
    }

    /** Sets {@link #control()}; 0 to 255. */
    public CiscoHdlcView control(int control) {
        FieldBits.put(segment, offset, 8 * CONTROL, 8, "control", control);
        return this;
    }

    /** The EtherType of what follows; 0x8035 for keep-alives. */
    public int type() {
        return NetworkOrder.u16(segment, offset + TYPE);
    }

    /** Sets {@link #type()}; 0 to 65535. */
    public CiscoHdlcView type(int type) {
        FieldBits.put(segment, offset, 8 * TYPE, 16, "type", type);
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
        return "chdlc type 0x" + Integer.toHexString(type());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "chdlc",
                    HeaderLayout.of(LENGTH)
                            .number("address", ADDRESS, 8)
                            .number("control", CONTROL, 8)
                            .number("type", TYPE, 16));
        }
    }
}
