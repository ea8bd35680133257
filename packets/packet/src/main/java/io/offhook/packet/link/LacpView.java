package io.offhook.packet.link;

import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.MacAddress;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A link aggregation control PDU (IEEE 802.1AX-2014, 6.4.2.3), of the slow protocols the one with subtype 1. A state,
 * from the lowest bit: activity, timeout, aggregation, synchronization, collecting, distributing, defaulted, expired.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+---------------+---------------+
 * |    subtype    |    version    |               |               |
 * +---------------+---------------+---------------+---------------+
 * |     actor system priority     |          actor system         |
 * +-------------------------------+-------------------------------+
 * |                              ...                              |
 * +-------------------------------+-------------------------------+
 * |           actor key           |      actor port priority      |
 * +-------------------------------+---------------+---------------+
 * |           actor port          |  actor state  |               |
 * +-------------------------------+---------------+---------------+
 * |                               |               |               |
 * +-------------------------------+---------------+---------------+
 * |    partner system priority    |         partner system        |
 * +-------------------------------+-------------------------------+
 * |                              ...                              |
 * +-------------------------------+-------------------------------+
 * |          partner key          |     partner port priority     |
 * +-------------------------------+---------------+---------------+
 * |          partner port         | partner state |               |
 * +-------------------------------+---------------+---------------+
 * |                               |               |               |
 * +-------------------------------+---------------+---------------+
 * |      collector max delay      |
 * +-------------------------------+
 * </pre>
 */
public final class LacpView extends HeaderView<LacpView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 46;

    /** The subtype of LACP among the slow protocols (IEEE 802.3, 57A.4). */
    public static final int SUBTYPE_LACP = 1;

    private static final int ACTOR_INFORMATION = 2;
    private static final int PARTNER_INFORMATION = 22;
    /** The offset of the subtype, in bytes. */
    public static final int SUBTYPE = 0;

    private static final int VERSION = 1;
    private static final int ACTOR_SYSTEM_PRIORITY = 4;
    private static final int ACTOR_SYSTEM = 6;
    private static final int ACTOR_KEY = 12;
    private static final int ACTOR_PORT_PRIORITY = 14;
    private static final int ACTOR_PORT = 16;
    private static final int ACTOR_STATE = 18;
    private static final int PARTNER_SYSTEM_PRIORITY = 24;
    private static final int PARTNER_SYSTEM = 26;
    private static final int PARTNER_KEY = 32;
    private static final int PARTNER_PORT_PRIORITY = 34;
    private static final int PARTNER_PORT = 36;
    private static final int PARTNER_STATE = 38;
    private static final int COLLECTOR_MAX_DELAY = 44;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public LacpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.LACP;
    }

    /**
     * Wraps a PDU: TRUNCATED below 46 bytes, UNSUPPORTED if its subtype is not 1, MALFORMED if its parts are not where
     * version 1 has them.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + SUBTYPE) != SUBTYPE_LACP) {
            return WrapStatus.UNSUPPORTED;
        }
        boolean isActor = NetworkOrder.u16(segment, offset + ACTOR_INFORMATION) == 0x0114;
        boolean isPartner = NetworkOrder.u16(segment, offset + PARTNER_INFORMATION) == 0x0214;
        if (!isActor || !isPartner) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, MIN_LENGTH);
    }

    /** 1 of the slow protocols (IEEE 802.3, Annex 57A). */
    public int subtype() {
        return u8(SUBTYPE);
    }

    /** Sets {@link #subtype()}; 0 to 255. */
    public LacpView subtype(int subtype) {
        return putU8(SUBTYPE, "subtype", subtype);
    }

    /** The version stated in the header. */
    public int version() {
        return u8(VERSION);
    }

    /** Sets {@link #version()}; 0 to 255. */
    public LacpView version(int version) {
        return putU8(VERSION, "version", version);
    }

    /** The priority of the system; a lower number is better. */
    public int actorSystemPriority() {
        return u16(ACTOR_SYSTEM_PRIORITY);
    }

    /** Sets {@link #actorSystemPriority()}; 0 to 65535. */
    public LacpView actorSystemPriority(int actorSystemPriority) {
        return putU16(ACTOR_SYSTEM_PRIORITY, "actorSystemPriority", actorSystemPriority);
    }

    /** The MAC address of the system, in the lower 48 bits. */
    public long actorSystem() {
        return u48(ACTOR_SYSTEM);
    }

    /** Sets {@link #actorSystem()}; 0 to 281474976710655. */
    public LacpView actorSystem(long actorSystem) {
        return putU48(ACTOR_SYSTEM, "actorSystem", actorSystem);
    }

    /** The operational key: ports with the same may be aggregated. */
    public int actorKey() {
        return u16(ACTOR_KEY);
    }

    /** Sets {@link #actorKey()}; 0 to 65535. */
    public LacpView actorKey(int actorKey) {
        return putU16(ACTOR_KEY, "actorKey", actorKey);
    }

    /** The priority of the port; a lower number is better. */
    public int actorPortPriority() {
        return u16(ACTOR_PORT_PRIORITY);
    }

    /** Sets {@link #actorPortPriority()}; 0 to 65535. */
    public LacpView actorPortPriority(int actorPortPriority) {
        return putU16(ACTOR_PORT_PRIORITY, "actorPortPriority", actorPortPriority);
    }

    /** The number of the port. */
    public int actorPort() {
        return u16(ACTOR_PORT);
    }

    /** Sets {@link #actorPort()}; 0 to 65535. */
    public LacpView actorPort(int actorPort) {
        return putU16(ACTOR_PORT, "actorPort", actorPort);
    }

    /** Eight flags: activity, timeout, aggregation, synchronisation, collecting, distributing, defaulted, expired. */
    public int actorState() {
        return u8(ACTOR_STATE);
    }

    /** Sets {@link #actorState()}; 0 to 255. */
    public LacpView actorState(int actorState) {
        return putU8(ACTOR_STATE, "actorState", actorState);
    }

    /** The priority of the system; a lower number is better. */
    public int partnerSystemPriority() {
        return u16(PARTNER_SYSTEM_PRIORITY);
    }

    /** Sets {@link #partnerSystemPriority()}; 0 to 65535. */
    public LacpView partnerSystemPriority(int partnerSystemPriority) {
        return putU16(PARTNER_SYSTEM_PRIORITY, "partnerSystemPriority", partnerSystemPriority);
    }

    /** The MAC address of the system, in the lower 48 bits. */
    public long partnerSystem() {
        return u48(PARTNER_SYSTEM);
    }

    /** Sets {@link #partnerSystem()}; 0 to 281474976710655. */
    public LacpView partnerSystem(long partnerSystem) {
        return putU48(PARTNER_SYSTEM, "partnerSystem", partnerSystem);
    }

    /** The operational key: ports with the same may be aggregated. */
    public int partnerKey() {
        return u16(PARTNER_KEY);
    }

    /** Sets {@link #partnerKey()}; 0 to 65535. */
    public LacpView partnerKey(int partnerKey) {
        return putU16(PARTNER_KEY, "partnerKey", partnerKey);
    }

    /** The priority of the port; a lower number is better. */
    public int partnerPortPriority() {
        return u16(PARTNER_PORT_PRIORITY);
    }

    /** Sets {@link #partnerPortPriority()}; 0 to 65535. */
    public LacpView partnerPortPriority(int partnerPortPriority) {
        return putU16(PARTNER_PORT_PRIORITY, "partnerPortPriority", partnerPortPriority);
    }

    /** The number of the port. */
    public int partnerPort() {
        return u16(PARTNER_PORT);
    }

    /** Sets {@link #partnerPort()}; 0 to 65535. */
    public LacpView partnerPort(int partnerPort) {
        return putU16(PARTNER_PORT, "partnerPort", partnerPort);
    }

    /** Eight flags: activity, timeout, aggregation, synchronisation, collecting, distributing, defaulted, expired. */
    public int partnerState() {
        return u8(PARTNER_STATE);
    }

    /** Sets {@link #partnerState()}; 0 to 255. */
    public LacpView partnerState(int partnerState) {
        return putU8(PARTNER_STATE, "partnerState", partnerState);
    }

    /** The maximum delay of the collector, in units of 10 us. */
    public int collectorMaxDelay() {
        return u16(COLLECTOR_MAX_DELAY);
    }

    /** Sets {@link #collectorMaxDelay()}; 0 to 65535. */
    public LacpView collectorMaxDelay(int collectorMaxDelay) {
        return putU16(COLLECTOR_MAX_DELAY, "collectorMaxDelay", collectorMaxDelay);
    }

    @Override
    public String toString() {
        return "lacp actor " + MacAddress.text(actorSystem()) + " partner " + MacAddress.text(partnerSystem());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<LacpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "lacp",
                    new LacpView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("subtype", SUBTYPE, 8)
                            .number("version", VERSION, 8)
                            .number("actorSystemPriority", ACTOR_SYSTEM_PRIORITY, 16)
                            .mac("actorSystem", ACTOR_SYSTEM)
                            .number("actorKey", ACTOR_KEY, 16)
                            .number("actorPortPriority", ACTOR_PORT_PRIORITY, 16)
                            .number("actorPort", ACTOR_PORT, 16)
                            .number("actorState", ACTOR_STATE, 8)
                            .number("partnerSystemPriority", PARTNER_SYSTEM_PRIORITY, 16)
                            .mac("partnerSystem", PARTNER_SYSTEM)
                            .number("partnerKey", PARTNER_KEY, 16)
                            .number("partnerPortPriority", PARTNER_PORT_PRIORITY, 16)
                            .number("partnerPort", PARTNER_PORT, 16)
                            .number("partnerState", PARTNER_STATE, 8)
                            .number("collectorMaxDelay", COLLECTOR_MAX_DELAY, 16));
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            if (layer.wrap(view)) {
                to.mac(view.actorSystem()).text(" with ");
                to.mac(view.partnerSystem());
            } else {
                to.text("malformed");
            }
            return true;
        }
    }
}
