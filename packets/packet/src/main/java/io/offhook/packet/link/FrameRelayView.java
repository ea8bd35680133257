package io.offhook.packet.link;

import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A header of frame relay: the address (ITU-T Q.922, 3.2), of two to four bytes, and what says which protocol follows
 * (RFC 2427, 3), or, as Cisco has it, an EtherType.
 *
 * <pre>
 *  0          6 7 8      12 13 14 15 16      24              32
 * +----------+-+-+---------+-+-+-+-+---------+---------------+
 * | dlci     |C|0| dlci    |F|B|D|1| control | protocol id   |
 * +----------+-+-+---------+-+-+-+-+---------+---------------+
 * </pre>
 */
public final class FrameRelayView extends HeaderView<FrameRelayView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 4;

    private static final int DLCI_HIGH = 0;
    private static final int DLCI_LOW = 1;
    private static final int DLCI_MORE = 2;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public FrameRelayView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.FRAME_RELAY;
    }

    /**
     * Wraps a header: TRUNCATED if its address, or two bytes behind it, are not there; MALFORMED if the address does
     * not end within four bytes.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        int address = 0;
        do {
            address++;
            if (length < address + 2) {
                return WrapStatus.TRUNCATED;
            }
        } while ((NetworkOrder.u8(segment, offset + address - 1) & 1) == 0 && address < 4);
        if (address < 2 || (NetworkOrder.u8(segment, offset + address - 1) & 1) == 0) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, address);
    }

    /** The length of the address: 2 to 4 bytes. */
    public int addressLength() {
        return headerLength;
    }

    /** The data link connection: 10, 16 or, of four bytes, 23 bits. */
    public int dlci() {
        int high = u8(DLCI_HIGH) >>> 2;
        int low = u8(DLCI_LOW) >>> 4;
        int dlci = high << 4 | low;
        for (int i = DLCI_MORE; i < headerLength; i++) {
            int bits = i == headerLength - 1 ? 6 : 7;
            dlci = dlci << bits | u8(i) >>> 8 - bits;
        }
        return dlci;
    }

    /**
     * Sets {@link #dlci()}.
     *
     * @param dlci of 10, 16 or 23 bits, by the address's length of two, three or four bytes
     */
    public FrameRelayView dlci(int dlci) {
        FieldRange.check("dlci", dlci, headerLength == 2 ? 0x3ff : headerLength == 3 ? 0xffff : 0x7f_ffff);
        int rest = dlci;
        for (int i = headerLength - 1; i >= DLCI_MORE; i--) {
            int width = i == headerLength - 1 ? 6 : 7;
            putBits(i, 0, width, "dlci", rest & (1 << width) - 1);
            rest >>>= width;
        }
        putBits(DLCI_HIGH, 0, 6, "dlci", rest >>> 4);
        return putBits(DLCI_LOW, 0, 4, "dlci", rest & 15);
    }

    /** Whether the network met congestion on the way of the frame. */
    public boolean isForwardCongestion() {
        return (u8(DLCI_LOW) & 8) != 0;
    }

    /** Sets {@link #isForwardCongestion()}. */
    public FrameRelayView forwardCongestion(boolean forwardCongestion) {
        return putFlag(DLCI_LOW, 4, forwardCongestion);
    }

    /** Whether the network met congestion on the way against the frame. */
    public boolean isBackwardCongestion() {
        return (u8(DLCI_LOW) & 4) != 0;
    }

    /** Sets {@link #isBackwardCongestion()}. */
    public FrameRelayView backwardCongestion(boolean backwardCongestion) {
        return putFlag(DLCI_LOW, 5, backwardCongestion);
    }

    /** Whether it is to be discarded before others. */
    public boolean isDiscardEligible() {
        return (u8(DLCI_LOW) & 2) != 0;
    }

    /** Sets {@link #isDiscardEligible()}. */
    public FrameRelayView discardEligible(boolean discardEligible) {
        return putFlag(DLCI_LOW, 6, discardEligible);
    }

    /** What follows the address: 3 is the control byte of RFC 2427, anything else the first byte of an EtherType. */
    public int control() {
        return u8(headerLength);
    }

    /** Sets {@link #control()}; 0 to 255. */
    public FrameRelayView control(int control) {
        return putU8(headerLength, "control", control);
    }

    /** The EtherType that Cisco puts behind the address; 0 if there is a control byte. */
    public int type() {
        return control() == 3 ? 0 : u16(headerLength);
    }

    /** Sets {@link #type()}; 0 to 65535. */
    public FrameRelayView type(int type) {
        FieldRange.require("type", control() != 3);
        return putU16(headerLength, "type", type);
    }

    @Override
    public String toString() {
        return "fr " + dlci();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<FrameRelayView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super("fr", new FrameRelayView(), HeaderLayout.NONE);
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.number("dlci", view.dlci());
            to.flag("forwardCongestion", view.isForwardCongestion());
            to.flag("backwardCongestion", view.isBackwardCongestion());
            to.flag("discardEligible", view.isDiscardEligible());
        }
    }
}
