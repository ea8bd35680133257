package io.offhook.packet.link;

import io.offhook.packet.FieldRange;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A bridge protocol data unit: spanning tree (IEEE 802.1D-2004, 9.3), rapid spanning tree, and what multiple spanning
 * tree has in common with them. A topology change notification is the first four bytes only; fields that it has not
 * read 0. Times are in units of 1/256 s.
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+---------------+---------------+
 * |      protocol identifier      |    version    |      type     |
 * +---------------+-------------------------------+---------------+
 * |     flags     |         root priority         |    root mac   |
 * +---------------+-------------------------------+---------------+
 * |                              ...                              |
 * +---------------+-----------------------------------------------+
 * |      ...      |                 root path cost                |
 * +---------------+-------------------------------+---------------+
 * |      ...      |        bridge priority        |   bridge mac  |
 * +---------------+-------------------------------+---------------+
 * |                              ...                              |
 * +---------------+-------------------------------+---------------+
 * |      ...      |            port id            |  message age  |
 * +---------------+-------------------------------+---------------+
 * |      ...      |            max age            |   hello time  |
 * +---------------+-------------------------------+---------------+
 * |      ...      |         forward delay         |
 * +---------------+-------------------------------+
 * </pre>
 */
public final class StpView extends HeaderView<StpView> implements LayerView {
    /** Bytes of a topology change notification. */
    public static final int NOTIFICATION_LENGTH = 4;
    /** Bytes of a configuration message. */
    public static final int CONFIGURATION_LENGTH = 35;
    /** The type of a configuration message (IEEE 802.1D, 9.3.1). */
    public static final int CONFIGURATION = 0;
    /** The type of a rapid or multiple spanning tree message (IEEE 802.1D, 9.3.3). */
    public static final int RAPID = 2;
    /** The type of a topology change notification (IEEE 802.1D, 9.3.2). */
    public static final int TOPOLOGY_CHANGE = 0x80;

    private static final int PROTOCOL_IDENTIFIER = 0;
    private static final int VERSION = 2;
    private static final int TYPE = 3;
    private static final int FLAGS = 4;
    private static final int ROOT_PRIORITY = 5;
    private static final int ROOT_MAC = 7;
    private static final int ROOT_PATH_COST = 13;
    private static final int BRIDGE_PRIORITY = 17;
    private static final int BRIDGE_MAC = 19;
    private static final int PORT_ID = 25;
    private static final int MESSAGE_AGE = 27;
    private static final int MAX_AGE = 29;
    private static final int HELLO_TIME = 31;
    private static final int FORWARD_DELAY = 33;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public StpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.STP;
    }

    /**
     * Wraps a unit: TRUNCATED if fewer bytes are available than its type requires, UNSUPPORTED if it is none of
     * spanning tree.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < NOTIFICATION_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u16(segment, offset + PROTOCOL_IDENTIFIER) != 0) {
            return WrapStatus.UNSUPPORTED;
        }
        int type = NetworkOrder.u8(segment, offset + TYPE);
        if (type != CONFIGURATION && type != RAPID && type != TOPOLOGY_CHANGE) {
            return WrapStatus.UNSUPPORTED;
        }
        if (type == TOPOLOGY_CHANGE) {
            return wrap(segment, offset, NOTIFICATION_LENGTH, NOTIFICATION_LENGTH);
        }
        return wrap(segment, offset, length, CONFIGURATION_LENGTH);
    }

    /** 0 as a rule. */
    public int protocolIdentifier() {
        return u16(PROTOCOL_IDENTIFIER);
    }

    /** Sets {@link #protocolIdentifier()}; 0 to 65535. */
    public StpView protocolIdentifier(int protocolIdentifier) {
        return putU16(PROTOCOL_IDENTIFIER, "protocolIdentifier", protocolIdentifier);
    }

    /** 0 for STP, 2 for RSTP, 3 for MSTP. */
    public int version() {
        return u8(VERSION);
    }

    /** Sets {@link #version()}; 0 to 255. */
    public StpView version(int version) {
        return putU8(VERSION, "version", version);
    }

    /** 0 for a configuration, 2 for RSTP and MSTP, 0x80 for a topology change notification. */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public StpView type(int type) {
        return putU8(TYPE, "type", type);
    }

    /**
     * From the lowest bit: topology change, proposal, port role (2 bits), learning, forwarding, agreement,
     * acknowledgment.
     */
    public int flags() {
        return length >= 5 ? u8(FLAGS) : 0;
    }

    /** Sets {@link #flags()}; 0 to 255. */
    public StpView flags(int flags) {
        FieldRange.require("flags", length >= 5);
        return putU8(FLAGS, "flags", flags);
    }

    /** The root priority, with the system id extension in the low 12 bits. */
    public int rootPriority() {
        return length >= 7 ? u16(ROOT_PRIORITY) : 0;
    }

    /** Sets {@link #rootPriority()}; 0 to 65535. */
    public StpView rootPriority(int rootPriority) {
        FieldRange.require("rootPriority", length >= 7);
        return putU16(ROOT_PRIORITY, "rootPriority", rootPriority);
    }

    /** The MAC address of the root, in the lower 48 bits. */
    public long rootMac() {
        return length >= 13 ? u48(ROOT_MAC) : 0;
    }

    /** Sets {@link #rootMac()}; 0 to 281474976710655. */
    public StpView rootMac(long rootMac) {
        FieldRange.require("rootMac", length >= 13);
        return putU48(ROOT_MAC, "rootMac", rootMac);
    }

    /** The cost of the path to the root. */
    public long rootPathCost() {
        return length >= 17 ? u32(ROOT_PATH_COST) : 0;
    }

    /** Sets {@link #rootPathCost()}; 0 to 4294967295. */
    public StpView rootPathCost(long rootPathCost) {
        FieldRange.require("rootPathCost", length >= 17);
        return putU32(ROOT_PATH_COST, "rootPathCost", rootPathCost);
    }

    /** The bridge priority, with the system id extension in the low 12 bits. */
    public int bridgePriority() {
        return length >= 19 ? u16(BRIDGE_PRIORITY) : 0;
    }

    /** Sets {@link #bridgePriority()}; 0 to 65535. */
    public StpView bridgePriority(int bridgePriority) {
        FieldRange.require("bridgePriority", length >= 19);
        return putU16(BRIDGE_PRIORITY, "bridgePriority", bridgePriority);
    }

    /** The MAC address of the sender, in the lower 48 bits. */
    public long bridgeMac() {
        return length >= 25 ? u48(BRIDGE_MAC) : 0;
    }

    /** Sets {@link #bridgeMac()}; 0 to 281474976710655. */
    public StpView bridgeMac(long bridgeMac) {
        FieldRange.require("bridgeMac", length >= 25);
        return putU48(BRIDGE_MAC, "bridgeMac", bridgeMac);
    }

    /** Priority in the upper bits, number in the lower. */
    public int portId() {
        return length >= 27 ? u16(PORT_ID) : 0;
    }

    /** Sets {@link #portId()}; 0 to 65535. */
    public StpView portId(int portId) {
        FieldRange.require("portId", length >= 27);
        return putU16(PORT_ID, "portId", portId);
    }

    /** Time since the root's message, in 1/256 s. */
    public int messageAge() {
        return length >= 29 ? u16(MESSAGE_AGE) : 0;
    }

    /** Sets {@link #messageAge()}; 0 to 65535. */
    public StpView messageAge(int messageAge) {
        FieldRange.require("messageAge", length >= 29);
        return putU16(MESSAGE_AGE, "messageAge", messageAge);
    }

    /** How old a message may become, in 1/256 s. */
    public int maxAge() {
        return length >= 31 ? u16(MAX_AGE) : 0;
    }

    /** Sets {@link #maxAge()}; 0 to 65535. */
    public StpView maxAge(int maxAge) {
        FieldRange.require("maxAge", length >= 31);
        return putU16(MAX_AGE, "maxAge", maxAge);
    }

    /** Time between the root's messages, in 1/256 s. */
    public int helloTime() {
        return length >= 33 ? u16(HELLO_TIME) : 0;
    }

    /** Sets {@link #helloTime()}; 0 to 65535. */
    public StpView helloTime(int helloTime) {
        FieldRange.require("helloTime", length >= 33);
        return putU16(HELLO_TIME, "helloTime", helloTime);
    }

    /** Time that a port listens, and then learns, in 1/256 s. */
    public int forwardDelay() {
        return length >= 35 ? u16(FORWARD_DELAY) : 0;
    }

    /** Sets {@link #forwardDelay()}; 0 to 65535. */
    public StpView forwardDelay(int forwardDelay) {
        FieldRange.require("forwardDelay", length >= 35);
        return putU16(FORWARD_DELAY, "forwardDelay", forwardDelay);
    }

    /** Whether there is more than the first four bytes. */
    public boolean isConfiguration() {
        return type() != TOPOLOGY_CHANGE;
    }

    /** The port role in the flags of RSTP: 0 unknown, 1 alternate or backup, 2 root, 3 designated. */
    public int portRole() {
        return flags() >>> 2 & 3;
    }

    /** Sets {@link #portRole()}; 0 to 3. */
    public StpView portRole(int portRole) {
        FieldRange.require("portRole", length >= 5);
        return putBits(FLAGS, 4, 2, "portRole", portRole);
    }

    @Override
    public String toString() {
        return "stp version " + version() + " type " + type();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<StpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "stp",
                    new StpView(),
                    HeaderLayout.of(CONFIGURATION_LENGTH)
                            .number("protocolIdentifier", PROTOCOL_IDENTIFIER, 16)
                            .number("version", VERSION, 8)
                            .number("type", TYPE, 8)
                            .number("flags", FLAGS, 8)
                            .number("rootPriority", ROOT_PRIORITY, 16)
                            .mac("rootMac", ROOT_MAC)
                            .number("rootPathCost", ROOT_PATH_COST, 32)
                            .number("bridgePriority", BRIDGE_PRIORITY, 16)
                            .mac("bridgeMac", BRIDGE_MAC)
                            .number("portId", PORT_ID, 16)
                            .number("messageAge", MESSAGE_AGE, 16)
                            .number("maxAge", MAX_AGE, 16)
                            .number("helloTime", HELLO_TIME, 16)
                            .number("forwardDelay", FORWARD_DELAY, 16));
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            if (!layer.wrap(view)) {
                to.text("malformed");
            } else if (!view.isConfiguration()) {
                to.text("topology change");
            } else {
                to.text("root ").number(view.rootPriority()).text("/").mac(view.rootMac());
                to.text(" cost ").number(view.rootPathCost());
            }
            return true;
        }
    }
}
