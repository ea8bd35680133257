package io.offhook.testkit.traffic;

import io.offhook.packet.LinkType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * How IP packets lie in the frames of a link. Tags, labels and sessions are listed from the outermost inwards:
 * {@code Link.ethernet().serviceVlan(7).vlan(100)}. Immutable.
 */
public final class Link {
    static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int ETHERTYPE_IPV6 = 0x86dd;
    private static final int ETHERTYPE_MPLS = 0x8847;
    private static final int ETHERTYPE_PPPOE_SESSION = 0x8864;
    private static final byte[] CALLER_MAC = {2, 0, 0, 0, 0, 1};
    private static final byte[] CALLEE_MAC = {2, 0, 0, 0, 0, 2};

    /** What stands between the link's own header and the IP packet: a type for the layer below, and the bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Layer(int etherType, byte[] bytes) {}

    @FunctionalInterface
    private interface Shim {
        Layer around(Layer inner);
    }

    private final int linkType;
    private final boolean bigEndianFamily;
    private final boolean padded;
    private final List<Shim> shims;

    private Link(int linkType, boolean bigEndianFamily, boolean padded, List<Shim> shims) {
        this.linkType = linkType;
        this.bigEndianFamily = bigEndianFamily;
        this.padded = padded;
        this.shims = shims;
    }

    private static Link of(int linkType) {
        return new Link(linkType, false, false, List.of());
    }

    public static Link ethernet() {
        return of(LinkType.ETHERNET);
    }

    /** Linux cooked capture, version 1 (LINKTYPE_LINUX_SLL). */
    public static Link cooked() {
        return of(LinkType.LINUX_SLL);
    }

    /** Linux cooked capture, version 2 (LINKTYPE_LINUX_SLL2). */
    public static Link cooked2() {
        return of(LinkType.LINUX_SLL2);
    }

    /** No link header: the IP packet itself. */
    public static Link raw() {
        return of(LinkType.RAW);
    }

    /** BSD loopback, its address family in the byte order of the capturing machine. */
    public static Link nullLoopback(boolean bigEndian) {
        return new Link(LinkType.NULL, bigEndian, false, List.of());
    }

    /** OpenBSD loopback: the address family in network order. */
    public static Link loop() {
        return new Link(LinkType.LOOP, true, false, List.of());
    }

    /** PPP in HDLC-like framing (RFC 1662), with address and control bytes. */
    public static Link ppp() {
        return of(LinkType.PPP);
    }

    /** An 802.1Q tag. */
    public Link vlan(int id) {
        return tagged(0x8100, id);
    }

    /** An 802.1ad service tag. */
    public Link serviceVlan(int id) {
        return tagged(0x88a8, id);
    }

    private Link tagged(int etherType, int id) {
        return with(inner -> new Layer(
                etherType,
                new Octets().u16(id).u16(inner.etherType()).bytes(inner.bytes()).toArray()));
    }

    /** An MPLS label stack (RFC 3032), outermost label first. */
    public Link mpls(int... labels) {
        int[] stack = labels.clone();
        return with(inner -> {
            Octets bytes = new Octets();
            for (int i = 0; i < stack.length; i++) {
                bytes.u32((long) stack[i] << 12 | (i == stack.length - 1 ? 0x100 : 0) | 64);
            }
            return new Layer(ETHERTYPE_MPLS, bytes.bytes(inner.bytes()).toArray());
        });
    }

    /** A PPPoE session (RFC 2516). */
    public Link pppoe(int session) {
        return with(inner -> new Layer(
                ETHERTYPE_PPPOE_SESSION,
                new Octets()
                        .u8(0x11)
                        .u8(0)
                        .u16(session)
                        .u16(inner.bytes().length + 2)
                        .u16(pppProtocol(inner.etherType()))
                        .bytes(inner.bytes())
                        .toArray()));
    }

    /** Frames under 60 bytes are filled up, as Ethernet cards do: bytes that belong to no packet. */
    public Link padded() {
        return new Link(linkType, bigEndianFamily, true, shims);
    }

    private Link with(Shim shim) {
        List<Shim> more = new ArrayList<>(shims);
        more.add(shim);
        return new Link(linkType, bigEndianFamily, padded, more);
    }

    /** As capture files number it. */
    public int linkType() {
        return linkType;
    }

    /** The frame around {@code packet}. {@code forward}: from the caller's side to the callee's. */
    public byte[] frame(byte[] packet, boolean forward) {
        Layer layer = new Layer(etherType(packet), packet);
        for (Shim shim : shims.reversed()) {
            layer = shim.around(layer);
        }
        Octets frame = new Octets(ByteOrder.BIG_ENDIAN, layer.bytes().length + 24);
        header(frame, layer, forward);
        frame.bytes(layer.bytes());
        return padded && frame.length() < 60 ? frame.zeros(60 - frame.length()).toArray() : frame.toArray();
    }

    private void header(Octets frame, Layer layer, boolean forward) {
        byte[] source = forward ? CALLER_MAC : CALLEE_MAC;
        switch (linkType) {
            case LinkType.ETHERNET ->
                frame.bytes(forward ? CALLEE_MAC : CALLER_MAC).bytes(source).u16(layer.etherType());
            case LinkType.LINUX_SLL ->
                frame.u16(forward ? 0 : 4).u16(1).u16(6).bytes(source).zeros(2).u16(layer.etherType());
            case LinkType.LINUX_SLL2 ->
                frame.u16(layer.etherType())
                        .u16(0)
                        .u32(2)
                        .u16(1)
                        .u8(forward ? 0 : 4)
                        .u8(6)
                        .bytes(source)
                        .zeros(2);
            case LinkType.PPP -> frame.u16(0xff03).u16(pppProtocol(layer.etherType()));
            case LinkType.NULL, LinkType.LOOP -> {
                int family = layer.etherType() == ETHERTYPE_IPV4 ? 2 : 24;
                frame.u32(bigEndianFamily ? family : (long) family << 24);
            }
            case LinkType.RAW -> {}
            default -> throw new IllegalStateException("link type " + linkType);
        }
    }

    /** The EtherType of an IP packet, from its version. */
    static int etherType(byte[] packet) {
        return packet[0] >>> 4 == 4 ? ETHERTYPE_IPV4 : ETHERTYPE_IPV6;
    }

    private static int pppProtocol(int etherType) {
        return switch (etherType) {
            case ETHERTYPE_IPV4 -> 0x0021;
            case ETHERTYPE_IPV6 -> 0x0057;
            case ETHERTYPE_MPLS -> 0x0281;
            default ->
                throw new IllegalArgumentException(String.format("no PPP protocol for EtherType 0x%04x", etherType));
        };
    }
}
