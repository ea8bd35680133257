package io.offhook.packet.tunnel;

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
 * A header of ERSPAN, behind GRE (draft-foschiano-erspan-03, 4): type II (version 1, 8 bytes) or III (version 2, 12
 * bytes, and 8 more with a flag). Type I has no header. Fields that the version has not read 0.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------+-----------------------+-----+---+-+-------------------+
 * |version|          vlan         |clas.| e |C|     session id    |
 * +-------+-----------------------+-----+---+-+-------------------+
 * | type II: port index; type III: timestamp, security group, flags ...
 * </pre>
 */
public final class ErspanView extends CarrierView<ErspanView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;

    /** The version that type II has. */
    public static final int TYPE_2 = 1;

    /** The version that type III has. */
    public static final int TYPE_3 = 2;

    /** Bytes of a type III header. */
    public static final int LENGTH_3 = 12;

    /** Bytes that the platform defines, behind a type III header with a flag. */
    public static final int PLATFORM_LENGTH = 8;

    /** The offset of the version, in bytes. */
    public static final int VERSION = 0;

    private static final int CLASS_OF_SERVICE = 2;
    private static final int INDEX = 4;
    private static final int TIMESTAMP = 4;
    private static final int SECURITY_GROUP = 8;
    /** Where type III's flags start, in bytes from the start: frame type in bits 1 to 5, platform header in bit 15. */
    public static final int FRAME_TYPE = 10;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public ErspanView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ERSPAN;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than its version requires, UNSUPPORTED if that is neither
     * 1 nor 2.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int version = NetworkOrder.u8(segment, offset + VERSION) >>> 4;
        if (version != TYPE_2 && version != TYPE_3) {
            return WrapStatus.UNSUPPORTED;
        }
        if (version == TYPE_2) {
            return wrap(segment, offset, length, MIN_LENGTH);
        }
        if (length < LENGTH_3) {
            return WrapStatus.TRUNCATED;
        }
        boolean hasMore = (NetworkOrder.u16(segment, offset + FRAME_TYPE) & 1) != 0;
        return wrap(segment, offset, length, hasMore ? LENGTH_3 + PLATFORM_LENGTH : LENGTH_3);
    }

    /** 1 for type II, 2 for type III. */
    public int version() {
        return u8(VERSION) >>> 4;
    }

    /** Sets {@link #version()}; 0 to 15. */
    public ErspanView version(int version) {
        return putBits(VERSION, 0, 4, "version", version);
    }

    /** The VLAN of the mirrored frame. */
    public int vlan() {
        return u16(VERSION) & 0xfff;
    }

    /** Sets {@link #vlan()}; 0 to 4095. */
    public ErspanView vlan(int vlan) {
        return putBits(VERSION, 4, 12, "vlan", vlan);
    }

    /** The priority of the mirrored frame (IEEE 802.1p). */
    public int classOfService() {
        return u8(CLASS_OF_SERVICE) >>> 5;
    }

    /** Sets {@link #classOfService()}; 0 to 7. */
    public ErspanView classOfService(int classOfService) {
        return putBits(CLASS_OF_SERVICE, 0, 3, "classOfService", classOfService);
    }

    /** How the port encoded the VLAN, of type II; whether the frame is bad, short or long, of type III. */
    public int encapsulation() {
        return u8(CLASS_OF_SERVICE) >>> 3 & 0x3;
    }

    /** Sets {@link #encapsulation()}; 0 to 3. */
    public ErspanView encapsulation(int encapsulation) {
        return putBits(CLASS_OF_SERVICE, 3, 2, "encapsulation", encapsulation);
    }

    /** Whether the mirror cut the frame. */
    public boolean isCut() {
        return (u8(CLASS_OF_SERVICE) & 0x4) != 0;
    }

    /** Sets {@link #isCut()}. */
    public ErspanView cut(boolean cut) {
        return putFlag(CLASS_OF_SERVICE, 5, cut);
    }

    /** The session that the packet belongs to. */
    public int sessionId() {
        return u16(CLASS_OF_SERVICE) & 0x3ff;
    }

    /** Sets {@link #sessionId()}; 0 to 1023. */
    public ErspanView sessionId(int sessionId) {
        return putBits(CLASS_OF_SERVICE, 6, 10, "sessionId", sessionId);
    }

    private boolean isType3() {
        return version() == TYPE_3;
    }

    /** The mirrored port, of type II: 20 bits. */
    public int index() {
        return isType3() ? 0 : (int) u32(INDEX) & 0xfffff;
    }

    /** Sets {@link #index()}; 0 to 1048575. */
    public ErspanView index(int index) {
        FieldRange.require("index", !isType3());
        return putBits(INDEX, 12, 20, "index", index);
    }

    /** The timestamp, of type III: 32 bits in units of {@link #granularity()}. */
    public long timestamp() {
        return isType3() ? u32(TIMESTAMP) : 0;
    }

    /** Sets {@link #timestamp()}; 0 to 4294967295. */
    public ErspanView timestamp(long timestamp) {
        FieldRange.require("timestamp", isType3());
        return putU32(TIMESTAMP, "timestamp", timestamp);
    }

    /** The security group, of type III. */
    public int securityGroup() {
        return isType3() ? u16(SECURITY_GROUP) : 0;
    }

    /** Sets {@link #securityGroup()}; 0 to 65535. */
    public ErspanView securityGroup(int securityGroup) {
        FieldRange.require("securityGroup", isType3());
        return putU16(SECURITY_GROUP, "securityGroup", securityGroup);
    }

    /** The type of the mirrored frame, of type III: 0 Ethernet, 2 IP. */
    public int frameType() {
        return isType3() ? u16(FRAME_TYPE) >>> 10 & 0x1f : 0;
    }

    /** Sets {@link #frameType()}; 0 to 31. */
    public ErspanView frameType(int frameType) {
        FieldRange.require("frameType", isType3());
        return putBits(FRAME_TYPE, 1, 5, "frameType", frameType);
    }

    /** The mirroring engine, of type III: 6 bits. */
    public int hardwareId() {
        return isType3() ? u16(FRAME_TYPE) >>> 4 & 0x3f : 0;
    }

    /** Sets {@link #hardwareId()}; 0 to 63. */
    public ErspanView hardwareId(int hardwareId) {
        FieldRange.require("hardwareId", isType3());
        return putBits(FRAME_TYPE, 6, 6, "hardwareId", hardwareId);
    }

    /** Whether the frame left the port, and did not come in by it; of type III. */
    public boolean isEgress() {
        return isType3() && (u16(FRAME_TYPE) & 8) != 0;
    }

    /** Sets {@link #isEgress()}. */
    public ErspanView egress(boolean egress) {
        FieldRange.require("egress", isType3());
        return putFlag(FRAME_TYPE, 12, egress);
    }

    /** The granularity of the timestamp, of type III: 0 is 100 us, 1 is 100 ns, 2 is IEEE 1588, 3 another. */
    public int granularity() {
        return isType3() ? u16(FRAME_TYPE) >>> 1 & 3 : 0;
    }

    /** Sets {@link #granularity()}; 0 to 3. */
    public ErspanView granularity(int granularity) {
        FieldRange.require("granularity", isType3());
        return putBits(FRAME_TYPE, 13, 2, "granularity", granularity);
    }

    /** Whether 8 bytes follow that the platform defines. */
    public boolean hasPlatformHeader() {
        return isType3() && (u16(FRAME_TYPE) & 1) != 0;
    }

    /** Sets {@link #hasPlatformHeader()}. */
    public ErspanView hasPlatformHeader(boolean isThere) {
        FieldRange.require("platformHeader", isType3());
        int header = isThere ? LENGTH_3 + PLATFORM_LENGTH : LENGTH_3;
        FieldRange.check("headerLength", header, length);
        putFlag(FRAME_TYPE, 15, isThere);
        headerLength = header;
        return this;
    }

    @Override
    public String toString() {
        return "erspan version " + version() + " session " + sessionId();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<ErspanView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "erspan",
                    new ErspanView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .bits("version", VERSION, 0, 4)
                            .bits("vlan", VERSION, 4, 12)
                            .bits("classOfService", CLASS_OF_SERVICE, 0, 3)
                            .bits("encapsulation", CLASS_OF_SERVICE, 3, 2)
                            .flag("cut", CLASS_OF_SERVICE, 5)
                            .bits("sessionId", CLASS_OF_SERVICE, 6, 10));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.version() == TYPE_2) {
                to.number("index", view.index());
                return;
            }
            to.number("timestamp", view.timestamp());
            to.number("securityGroup", view.securityGroup());
            to.number("frameType", view.frameType());
            to.number("hardwareId", view.hardwareId());
            to.flag("egress", view.isEgress());
            to.number("granularity", view.granularity());
        }
    }
}
