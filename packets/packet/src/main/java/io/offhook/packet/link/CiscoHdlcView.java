package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
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
 */
public final class CiscoHdlcView extends CarrierView<CiscoHdlcView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;

    private static final int ADDRESS = 0;
    private static final int CONTROL = 1;
    /** The offset of the type, in bytes. */
    public static final int TYPE = 2;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public CiscoHdlcView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.CISCO_HDLC;
    }

    /** Wraps a header: TRUNCATED below 4 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** 0x0f for a unicast, 0x8f for a broadcast. */
    public int address() {
        return u8(ADDRESS);
    }

    /** Sets {@link #address()}; 0 to 255. */
    public CiscoHdlcView address(int address) {
        return putU8(ADDRESS, "address", address);
    }

    /** 0 as a rule. */
    public int control() {
        return u8(CONTROL);
    }

    /** Sets {@link #control()}; 0 to 255. */
    public CiscoHdlcView control(int control) {
        return putU8(CONTROL, "control", control);
    }

    /** The EtherType of what follows; 0x8035 for keep-alives. */
    public int type() {
        return u16(TYPE);
    }

    /** Sets {@link #type()}; 0 to 65535. */
    public CiscoHdlcView type(int type) {
        return putU16(TYPE, "type", type);
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
