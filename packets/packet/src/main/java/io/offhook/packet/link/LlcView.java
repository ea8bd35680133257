package io.offhook.packet.link;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A logical link control header (IEEE 802.2), and the SNAP header behind it where there is one.
 *
 * <pre>
 *  0      1      2         3            6         8
 * +------+------+---------+------------+---------+----
 * | DSAP | SSAP | control |   OUI      |  type   | payload
 * +------+------+---------+------------+---------+----
 *                          SNAP: DSAP and SSAP are aa, control is 03
 * </pre>
 *
 * <p>The control field has 2 bytes unless it is of an unnumbered frame (its low two bits set).
 */
public final class LlcView extends CarrierView<LlcView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 3;

    /** Bytes of a header with SNAP. */
    public static final int SNAP_LENGTH = 8;

    private static final int SNAP = 0xaa;

    /** The offset of the destination, in bytes. */
    public static final int DESTINATION = 0;

    /** The offset of the source, in bytes. */
    public static final int SOURCE = 1;
    /** The offset of the control field, in bytes. */
    public static final int CONTROL = 2;
    /** Where the organisation is, behind SNAP, in bytes from the start. */
    public static final int ORGANISATION = 3;
    /** Where the type is, behind SNAP, in bytes from the start. */
    public static final int TYPE = 6;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public LlcView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.LLC;
    }

    /** Wraps a header: TRUNCATED if fewer bytes are available than it has, 3, 4 or 8. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        boolean unnumbered = (NetworkOrder.u8(segment, offset + CONTROL) & 3) == 3;
        boolean snap = unnumbered && NetworkOrder.u8(segment, offset + DESTINATION) == SNAP;
        int header = snap ? SNAP_LENGTH : unnumbered ? MIN_LENGTH : MIN_LENGTH + 1;
        return wrap(segment, offset, length, header);
    }

    /** The service access point it goes to; 0xaa announces SNAP. */
    public int destination() {
        return u8(DESTINATION);
    }

    /** Sets {@link #destination()}; 0 to 255. */
    public LlcView destination(int destination) {
        return putU8(DESTINATION, "destination", destination);
    }

    /** The service access point it comes from; the lowest bit marks a response. */
    public int source() {
        return u8(SOURCE);
    }

    /** Sets {@link #source()}; 0 to 255. */
    public LlcView source(int source) {
        return putU8(SOURCE, "source", source);
    }

    /** 8 or 16 bits. */
    public int control() {
        return headerLength == MIN_LENGTH + 1 ? u16(CONTROL) : u8(CONTROL);
    }

    /**
     * Sets {@link #control()}.
     *
     * @param control of the size that is there: in 16 bits, the low two of the first byte are not both set; in 8 they
     *     are
     */
    public LlcView control(int control) {
        boolean isWide = headerLength == MIN_LENGTH + 1;
        FieldRange.check("control", control, isWide ? 0xffff : 0xff);
        if ((control >>> (isWide ? 8 : 0) & 3) == 3 == isWide) {
            throw new IllegalArgumentException(
                    "control " + control + " does not fit in " + (isWide ? 16 : 8) + " bits");
        }
        if (isWide) {
            NetworkOrder.putU16(segment, offset + CONTROL, control);
        } else {
            NetworkOrder.putU8(segment, offset + CONTROL, control);
        }
        return this;
    }

    /** Whether a SNAP header follows. */
    public boolean isSnap() {
        return headerLength == SNAP_LENGTH;
    }

    /** SNAP's OUI, 24 bits; 0 without SNAP, and for EtherTypes. */
    public int organisation() {
        return isSnap() ? u24(ORGANISATION) : 0;
    }

    /** Sets {@link #organisation()}; 0 to 16777215. */
    public LlcView organisation(int organisation) {
        FieldRange.require("organisation", isSnap());
        return putU24(ORGANISATION, "organisation", organisation);
    }

    /** SNAP's type, an EtherType when the OUI is 0; 0 without SNAP. */
    public int type() {
        return isSnap() ? u16(TYPE) : 0;
    }

    /** Sets {@link #type()}; 0 to 65535. */
    public LlcView type(int type) {
        FieldRange.require("type", isSnap());
        return putU16(TYPE, "type", type);
    }

    @Override
    public String toString() {
        return "llc " + Integer.toHexString(destination()) + " " + Integer.toHexString(source())
                + (isSnap() ? " snap type 0x" + Integer.toHexString(type()) : "");
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<LlcView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "llc",
                    new LlcView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("destination", DESTINATION, 8)
                            .number("source", SOURCE, 8));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.number("control", view.control());
            if (view.isSnap()) {
                to.number("organisation", view.organisation());
                to.number("type", view.type());
            }
        }
    }
}
