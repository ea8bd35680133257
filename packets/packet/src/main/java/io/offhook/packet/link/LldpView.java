package io.offhook.packet.link;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A link layer discovery PDU (IEEE 802.1AB-2016, 8): elements, of which the first three are what sends it (chassis),
 * which of its ports, and how long that is valid.
 *
 * <pre>
 *  0      7         16
 * +------+---------+----------------+
 * | type | length  | value ...      |  chassis (1): subtype, id
 * +------+---------+----------------+
 * | type | length  | value ...      |  port (2): subtype, id
 * +------+---------+----------------+
 * | type | length  | value          |  time to live (3): 16 bits
 * +------+---------+----------------+
 * | more elements, and at last one of 16 bits that are 0
 * </pre>
 */
public final class LldpView extends HeaderView<LldpView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 12;
    /** A type of element (IEEE 802.1AB, 8.4). */
    public static final int CHASSIS_ID = 1;
    /** A type of element (IEEE 802.1AB, 8.4). */
    public static final int PORT_ID = 2;
    /** A type of element (IEEE 802.1AB, 8.4). */
    public static final int TIME_TO_LIVE = 3;
    /** A type of element (IEEE 802.1AB, 8.4). */
    public static final int PORT_DESCRIPTION = 4;
    /** A type of element (IEEE 802.1AB, 8.4). */
    public static final int SYSTEM_NAME = 5;
    /** A type of element (IEEE 802.1AB, 8.4). */
    public static final int SYSTEM_DESCRIPTION = 6;
    /** A type of element (IEEE 802.1AB, 8.4). */
    public static final int CAPABILITIES = 7;
    /** A type of element (IEEE 802.1AB, 8.4). */
    public static final int MANAGEMENT_ADDRESS = 8;
    /** A type of element (IEEE 802.1AB, 8.4). */
    public static final int ORGANISATION = 127;

    private static final int ELEMENT_HEADER = 2;

    private final TypeLengthValues mandatory = new TypeLengthValues(TypeLengthValues.Form.LLDP_TLVS);
    // of the values of the first two elements, with their subtypes
    private int chassisLength;
    private int portLength;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public LldpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.LLDP;
    }

    /**
     * Wraps a PDU: TRUNCATED if it ends before the third element does, MALFORMED if the first three are others, or too
     * short.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        int chassis = 0;
        int port = 0;
        mandatory.wrap(segment, offset, length);
        for (int type = CHASSIS_ID; type <= TIME_TO_LIVE; type++) {
            if (!mandatory.next()) {
                return mandatory.isEnded() ? WrapStatus.MALFORMED : WrapStatus.TRUNCATED;
            }
            if (mandatory.type() != type || mandatory.valueLength() < 2) {
                return WrapStatus.MALFORMED;
            }
            chassis = type == CHASSIS_ID ? mandatory.valueLength() : chassis;
            port = type == PORT_ID ? mandatory.valueLength() : port;
        }
        chassisLength = chassis;
        portLength = port;
        return wrap(segment, offset, length, MIN_LENGTH);
    }

    /** 4 a MAC address, 5 a network address, 7 a text of its own. */
    public int chassisIdSubtype() {
        return u8(ELEMENT_HEADER);
    }

    /** Sets {@link #chassisIdSubtype()}; 0 to 255. */
    public LldpView chassisIdSubtype(int chassisIdSubtype) {
        return putU8(ELEMENT_HEADER, "chassisIdSubtype", chassisIdSubtype);
    }

    /** Where the chassis id starts, behind its subtype. */
    public long chassisIdOffset() {
        return offset + ELEMENT_HEADER + 1;
    }

    /** The length of the chassis id, in bytes. */
    public int chassisIdLength() {
        return chassisLength - 1;
    }

    /** 3 a MAC address, 4 a network address, 5 the interface's name, 7 a text of its own. */
    public int portIdSubtype() {
        return u8(portAt());
    }

    /** Sets {@link #portIdSubtype()}; 0 to 255. */
    public LldpView portIdSubtype(int portIdSubtype) {
        return putU8(portAt(), "portIdSubtype", portIdSubtype);
    }

    /** Where the port id starts, behind its subtype. */
    public long portIdOffset() {
        return offset + portAt() + 1;
    }

    /** The length of the port id, in bytes. */
    public int portIdLength() {
        return portLength - 1;
    }

    /** The time to live, in seconds; 0 if the sender is shutting down. */
    public int ttl() {
        return u16(timeToLiveAt());
    }

    /** Sets {@link #ttl()}; 0 to 65535. */
    public LldpView ttl(int ttl) {
        return putU16(timeToLiveAt(), "ttl", ttl);
    }

    private int portAt() {
        return ELEMENT_HEADER + chassisLength + ELEMENT_HEADER;
    }

    private int timeToLiveAt() {
        return portAt() + portLength + ELEMENT_HEADER;
    }

    /** Puts the iterator, of {@link TypeLengthValues.Form#LLDP_TLVS}, before the first element. */
    public void elements(TypeLengthValues elements) {
        elements.wrap(segment, offset, length);
    }

    @Override
    public String toString() {
        return "lldp ttl " + ttl();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<LldpView> {
        private static final int SUBTYPE_CHASSIS_MAC = 4;
        private static final int SUBTYPE_PORT_MAC = 3;
        private static final int MAC_LENGTH = 6;

        // within capabilities
        private static final int SYSTEM_CAPABILITIES = 0;
        private static final int ENABLED_CAPABILITIES = 2;

        private final TypeLengthValues elements = new TypeLengthValues(TypeLengthValues.Form.LLDP_TLVS);

        /** Creates the descriptor. */
        public Descriptor() {
            super("lldp", new LldpView(), HeaderLayout.NONE);
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            to.number("chassisIdSubtype", view.chassisIdSubtype());
            boolean isMac = view.chassisIdSubtype() == SUBTYPE_CHASSIS_MAC;
            identifier("chassisId", layer, view.chassisIdOffset(), view.chassisIdLength(), isMac, to);
            to.number("portIdSubtype", view.portIdSubtype());
            isMac = view.portIdSubtype() == SUBTYPE_PORT_MAC;
            identifier("portId", layer, view.portIdOffset(), view.portIdLength(), isMac, to);
            to.number("ttl", view.ttl());
            view.elements(elements);
            while (elements.next()) {
                element(to);
            }
        }

        private static void identifier(
                String name, Layer layer, long offset, int length, boolean isMac, FieldVisitor to) {
            if (isMac && length == MAC_LENGTH) {
                to.mac(name, NetworkOrder.u48(layer.segment(), offset));
            } else {
                to.bytes(name, layer.segment(), offset, length);
            }
        }

        private void element(FieldVisitor to) {
            switch ((int) elements.type()) {
                case CHASSIS_ID, PORT_ID, TIME_TO_LIVE -> {}
                case PORT_DESCRIPTION -> to.text("portDescription", elements.text());
                case SYSTEM_NAME -> to.text("systemName", elements.text());
                case SYSTEM_DESCRIPTION -> to.text("systemDescription", elements.text());
                case CAPABILITIES -> {
                    to.number("capabilities", elements.u16(SYSTEM_CAPABILITIES));
                    to.number("enabledCapabilities", elements.u16(ENABLED_CAPABILITIES));
                }
                case MANAGEMENT_ADDRESS -> elements.bytes("managementAddress", to);
                case ORGANISATION -> elements.bytes("organisation", to);
                default -> elements.bytes("element" + elements.type(), to);
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            if (layer.wrap(view)) {
                to.text("valid for ").number(view.ttl()).text(" s");
            } else {
                to.text("malformed");
            }
            return true;
        }
    }
}
