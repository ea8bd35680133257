package io.offhook.packet.network;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
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
 * The header that all packets of OSPF version 2 (RFC 2328, A.3.1) and 3 (RFC 5340, A.3.1) begin with. Version 3 ends it
 * on an instance, version 2 on the way the packet is authenticated.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+-------------------------------+
 * |    version    |      type     |         packet length         |
 * +---------------+---------------+-------------------------------+
 * |                           router id                           |
 * +---------------------------------------------------------------+
 * |                            area id                            |
 * +-------------------------------+-------------------------------+
 * |            checksum           |      authentication type      |
 * +-------------------------------+-------------------------------+
 * | version 2: authentication (64 bits) ...
 * </pre>
 */
public final class OspfView extends CarrierView<OspfView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 16;

    /** The length of a header of version 2, in bytes. */
    public static final int LENGTH_2 = 24;

    /** The offset of the version, in bytes. */
    public static final int VERSION = 0;

    private static final int TYPE = 1;
    private static final int PACKET_LENGTH = 2;
    private static final int ROUTER_ID = 4;
    private static final int AREA_ID = 8;
    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 12;

    private static final int AUTHENTICATION_TYPE = 14;
    private static final int INSTANCE_ID = 14;
    private static final int AUTHENTICATION = 16;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public OspfView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.OSPF;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than its version requires, UNSUPPORTED if that is neither
     * 2 nor 3.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int version = NetworkOrder.u8(segment, offset + VERSION);
        if (version != 2 && version != 3) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, version == 2 ? LENGTH_2 : MIN_LENGTH);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION);
    }

    /** Sets {@link #version()}; 0 to 255. */
    public OspfView version(int version) {
        return putU8(VERSION, "version", version);
    }

    /** 1 hello, 2 database description, 3 link state request, 4 update, 5 acknowledgment. */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public OspfView type(int type) {
        return putU8(TYPE, "type", type);
    }

    /** The length of the whole packet with its header, in bytes. */
    public int packetLength() {
        return u16(PACKET_LENGTH);
    }

    /** Sets {@link #packetLength()}; 0 to 65535. */
    public OspfView packetLength(int packetLength) {
        return putU16(PACKET_LENGTH, "packetLength", packetLength);
    }

    /** The sender, 32 bits. */
    public long routerId() {
        return u32(ROUTER_ID);
    }

    /** Sets {@link #routerId()}; 0 to 4294967295. */
    public OspfView routerId(long routerId) {
        return putU32(ROUTER_ID, "routerId", routerId);
    }

    /** The area, 32 bits. */
    public long areaId() {
        return u32(AREA_ID);
    }

    /** Sets {@link #areaId()}; 0 to 4294967295. */
    public OspfView areaId(long areaId) {
        return putU32(AREA_ID, "areaId", areaId);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public OspfView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /**
     * The type of authentication in version 2: 0 none, 1 password, 2 cryptographic; in version 3, the instance in the
     * high byte.
     */
    public int authenticationType() {
        return u16(AUTHENTICATION_TYPE);
    }

    /** Sets {@link #authenticationType()}; 0 to 65535. */
    public OspfView authenticationType(int authenticationType) {
        return putU16(AUTHENTICATION_TYPE, "authenticationType", authenticationType);
    }

    /** Which of several OSPFs on the link; of version 3. */
    public int instanceId() {
        return version() == 3 ? u8(INSTANCE_ID) : 0;
    }

    /** Sets {@link #instanceId()}; 0 to 255. */
    public OspfView instanceId(int instanceId) {
        FieldRange.require("instanceId", version() == 3);
        return putU8(INSTANCE_ID, "instanceId", instanceId);
    }

    /** 64 bits as they are, of version 2: a password, or the key and its sequence number. */
    public long authentication() {
        return version() == 2 ? bits64(AUTHENTICATION) : 0;
    }

    /** Sets {@link #authentication()}. */
    public OspfView authentication(long authentication) {
        FieldRange.require("authentication", version() == 2);
        return putBits64(AUTHENTICATION, authentication);
    }

    @Override
    public String toString() {
        return "ospf version " + version() + " type " + type();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<OspfView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "ospf",
                    new OspfView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("version", VERSION, 8)
                            .number("type", TYPE, 8)
                            .number("packetLength", PACKET_LENGTH, 16)
                            .ipv4("routerId", ROUTER_ID)
                            .ipv4("areaId", AREA_ID)
                            .number("checksum", CHECKSUM, 16)
                            .number("authenticationType", AUTHENTICATION_TYPE, 16));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.version() == 3) {
                to.number("instanceId", view.instanceId());
            } else {
                to.bytes("authentication", layer.segment(), layer.offset() + AUTHENTICATION, LENGTH_2 - AUTHENTICATION);
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            if (layer.wrap(view)) {
                to.text("version ").number(view.version()).text(" ").text(name(view.type()));
                to.text(" from ").ipv4(view.routerId());
            } else {
                to.text("malformed");
            }
            return true;
        }

        private static String name(int type) {
            return switch (type) {
                case 1 -> "hello";
                case 2 -> "database description";
                case 3 -> "link state request";
                case 4 -> "link state update";
                case 5 -> "link state acknowledgment";
                default -> "type " + type;
            };
        }
    }
}
