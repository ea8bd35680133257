package io.offhook.packet.network;

import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A message of IPv6 neighbor discovery (RFC 4861, 4): router solicitation and advertisement, neighbor solicitation and
 * advertisement, redirect. Fields that a message of the type has not read 0.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+-------------------------------+
 * |      type     |      code     |            checksum           |
 * +---------------+---------------+-------------------------------+
 * | message, then options ...
 * </pre>
 */
public final class NeighborDiscoveryView extends HeaderView<NeighborDiscoveryView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;
    /** A type of message (RFC 4861, 4). */
    public static final int ROUTER_SOLICITATION = 133;
    /** A type of message (RFC 4861, 4). */
    public static final int ROUTER_ADVERTISEMENT = 134;
    /** A type of message (RFC 4861, 4). */
    public static final int NEIGHBOR_SOLICITATION = 135;
    /** A type of message (RFC 4861, 4). */
    public static final int NEIGHBOR_ADVERTISEMENT = 136;
    /** A type of message (RFC 4861, 4). */
    public static final int REDIRECT = 137;

    private static final int TYPE = 0;
    private static final int CODE = 1;
    private static final int CHECKSUM = 2;
    private static final int HOP_LIMIT = 4;
    private static final int NEIGHBOR_FLAGS = 4;
    private static final int ROUTER_FLAGS = 5;
    private static final int ROUTER_LIFETIME = 6;
    private static final int REACHABLE_TIME = 8;
    private static final int RETRANSMISSION_TIME = 12;
    /** Where the target is that a solicitation, an advertisement of a neighbor or a redirect names, in bytes. */
    public static final int TARGET = 8;
    /** The offset of the destination of a redirect, in bytes. */
    public static final int DESTINATION = 24;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public NeighborDiscoveryView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ICMPV6;
    }

    /**
     * Wraps an ICMPv6 message: TRUNCATED if fewer bytes are available than its type requires, UNSUPPORTED if it is none
     * of neighbor discovery.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int fixed = fixedLength(NetworkOrder.u8(segment, offset + TYPE));
        if (fixed == 0) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, fixed);
    }

    /** {@link #ROUTER_SOLICITATION} to {@link #REDIRECT}. */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public NeighborDiscoveryView type(int type) {
        return putU8(TYPE, "type", type);
    }

    /** The code, which qualifies the type. */
    public int code() {
        return u8(CODE);
    }

    /** Sets {@link #code()}; 0 to 255. */
    public NeighborDiscoveryView code(int code) {
        return putU8(CODE, "code", code);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public NeighborDiscoveryView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** Bytes before the options of a message of that type; 0 if it is none of neighbor discovery. */
    public static int fixedLength(int type) {
        return switch (type) {
            case ROUTER_SOLICITATION -> 8;
            case ROUTER_ADVERTISEMENT -> 16;
            case NEIGHBOR_SOLICITATION, NEIGHBOR_ADVERTISEMENT -> 24;
            case REDIRECT -> 40;
            default -> 0;
        };
    }

    private boolean isRouter() {
        return type() == ROUTER_ADVERTISEMENT;
    }

    /** Whether {@link #targetHigh()} means something. */
    public boolean hasTarget() {
        return type() >= NEIGHBOR_SOLICITATION;
    }

    /** The hop limit that a router advertises to hosts; 0 if unspecified. */
    public int hopLimit() {
        return isRouter() ? u8(HOP_LIMIT) : 0;
    }

    /** Sets {@link #hopLimit()}; 0 to 255. */
    public NeighborDiscoveryView hopLimit(int hopLimit) {
        FieldRange.require("hopLimit", isRouter());
        return putU8(HOP_LIMIT, "hopLimit", hopLimit);
    }

    /**
     * The flags of a router advertisement, from the highest bit: managed, other, home agent, preference (2 bits),
     * proxy.
     */
    public int routerFlags() {
        return isRouter() ? u8(ROUTER_FLAGS) : 0;
    }

    /** Sets {@link #routerFlags()}; 0 to 255. */
    public NeighborDiscoveryView routerFlags(int routerFlags) {
        FieldRange.require("routerFlags", isRouter());
        return putU8(ROUTER_FLAGS, "routerFlags", routerFlags);
    }

    /** The lifetime of a router advertisement, in seconds; 0 if the router is no default router. */
    public int routerLifetime() {
        return isRouter() ? u16(ROUTER_LIFETIME) : 0;
    }

    /**
     * Sets {@link #routerLifetime()}.
     *
     * @throws IllegalStateException if the message does not have the field
     */
    public NeighborDiscoveryView routerLifetime(int routerLifetime) {
        FieldRange.require("routerLifetime", isRouter());
        return putU16(ROUTER_LIFETIME, "routerLifetime", routerLifetime);
    }

    /** The reachable time of a router advertisement, in ms. */
    public long reachableTime() {
        return isRouter() ? u32(REACHABLE_TIME) : 0;
    }

    /** Sets {@link #reachableTime()}; 0 to 4294967295. */
    public NeighborDiscoveryView reachableTime(long reachableTime) {
        FieldRange.require("reachableTime", isRouter());
        return putU32(REACHABLE_TIME, "reachableTime", reachableTime);
    }

    /** The retransmission time of a router advertisement, in ms. */
    public long retransmissionTime() {
        return isRouter() ? u32(RETRANSMISSION_TIME) : 0;
    }

    /** Sets {@link #retransmissionTime()}; 0 to 4294967295. */
    public NeighborDiscoveryView retransmissionTime(long retransmissionTime) {
        FieldRange.require("retransmissionTime", isRouter());
        return putU32(RETRANSMISSION_TIME, "retransmissionTime", retransmissionTime);
    }

    /** The flags of a neighbor advertisement, from the highest bit: router, solicited, override; 3 bits. */
    public int neighborFlags() {
        return type() == NEIGHBOR_ADVERTISEMENT ? u8(NEIGHBOR_FLAGS) >>> 5 : 0;
    }

    /**
     * Sets {@link #neighborFlags()}.
     *
     * @throws IllegalStateException if the message has none, or they do not fit in 3 bits
     */
    public NeighborDiscoveryView neighborFlags(int neighborFlags) {
        FieldRange.require("neighborFlags", type() == NEIGHBOR_ADVERTISEMENT);
        return putBits(NEIGHBOR_FLAGS, 0, 3, "neighborFlags", neighborFlags);
    }

    /** First half of the address that is solicited or advertised, or the better next hop. */
    public long targetHigh() {
        return hasTarget() ? bits64(TARGET) : 0;
    }

    /** Second half of the target's address. */
    public long targetLow() {
        return hasTarget() ? bits64(TARGET + 8) : 0;
    }

    /**
     * Sets {@link #hasTarget()}.
     *
     * @throws IllegalStateException if the message does not have the field
     */
    public NeighborDiscoveryView target(long high, long low) {
        FieldRange.require("target", hasTarget());
        putBits64(TARGET, high);
        return putBits64(TARGET + 8, low);
    }

    /** First half of the address that a redirect is about. */
    public long destinationHigh() {
        return type() == REDIRECT ? bits64(DESTINATION) : 0;
    }

    /** Second half of the address that a redirect is for. */
    public long destinationLow() {
        return type() == REDIRECT ? bits64(DESTINATION + 8) : 0;
    }

    /**
     * Sets the address that a redirect is about, both halves.
     *
     * @throws IllegalStateException if the message does not have the field
     */
    public NeighborDiscoveryView destination(long high, long low) {
        FieldRange.require("destination", type() == REDIRECT);
        putBits64(DESTINATION, high);
        return putBits64(DESTINATION + 8, low);
    }

    /** Puts the iterator, of {@link TypeLengthValues.Form#NEIGHBOR_OPTIONS}, before the first option. */
    public void options(TypeLengthValues options) {
        int fixed = fixedLength(type());
        options.wrap(segment, offset + fixed, length - fixed);
    }

    @Override
    public String toString() {
        return "neighbor discovery type " + type();
    }

    /** Reports messages of neighbor discovery, for {@link Icmpv6View.Descriptor}. */
    static final class Fields {
        private static final int SOURCE_LINK_ADDRESS = 1;
        private static final int TARGET_LINK_ADDRESS = 2;
        private static final int PREFIX_INFORMATION = 3;
        private static final int MTU = 5;
        private static final int MAC_LENGTH = 6;

        // where fields of options are, from the start of the value
        private static final int PREFIX_LENGTH = 0;
        private static final int PREFIX_FLAGS = 1;
        private static final int PREFIX = 14;
        private static final int PREFIX_END = 30;
        private static final int LINK_MTU = 2;

        private final NeighborDiscoveryView neighbor = new NeighborDiscoveryView();
        private final TypeLengthValues options = new TypeLengthValues(TypeLengthValues.Form.NEIGHBOR_OPTIONS);

        /** Whether it is a message of neighbor discovery; then it was reported. */
        boolean visit(Layer layer, FieldVisitor to) {
            if (!layer.wrap(neighbor)) {
                return false;
            }
            switch (neighbor.type()) {
                case ROUTER_ADVERTISEMENT -> {
                    to.number("hopLimit", neighbor.hopLimit());
                    to.number("routerFlags", neighbor.routerFlags());
                    to.number("routerLifetime", neighbor.routerLifetime());
                    to.number("reachableTime", neighbor.reachableTime());
                    to.number("retransmissionTime", neighbor.retransmissionTime());
                }
                case NEIGHBOR_ADVERTISEMENT -> to.number("neighborFlags", neighbor.neighborFlags());
                default -> {}
            }
            if (neighbor.hasTarget()) {
                to.ipv6("target", neighbor.targetHigh(), neighbor.targetLow());
            }
            if (neighbor.type() == REDIRECT) {
                to.ipv6("destination", neighbor.destinationHigh(), neighbor.destinationLow());
            }
            neighbor.options(options);
            while (options.next()) {
                option(to);
            }
            return true;
        }

        /** RFC 4861, 4.6. */
        private void option(FieldVisitor to) {
            int type = (int) options.type();
            boolean isSource = type == SOURCE_LINK_ADDRESS;
            if ((isSource || type == TARGET_LINK_ADDRESS) && options.valueLength() == MAC_LENGTH) {
                String name = isSource ? "sourceLinkAddress" : "targetLinkAddress";
                to.mac(name, NetworkOrder.u48(options.segment(), options.valueOffset()));
            } else if (type == PREFIX_INFORMATION && options.valueLength() == PREFIX_END) {
                to.number("prefixLength", options.u8(PREFIX_LENGTH));
                to.number("prefixFlags", options.u8(PREFIX_FLAGS));
                to.ipv6("prefix", options.bits64(PREFIX), options.bits64(PREFIX + 8));
            } else if (type == MTU) {
                to.number("mtu", options.u32(LINK_MTU));
            } else {
                options.bytes("option" + type, to);
            }
        }
    }
}
