package io.offhook.packet.walk;

import io.offhook.packet.Endpoint;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.Layers;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.link.VlanView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the layers of one frame, in place and without allocation; then says where each lies, and what the innermost IP
 * packet in it carries.
 *
 * <p>A layer is listed when the fixed part of its header is there and makes sense. What stops the walk is told with its
 * place, and the layers below stay. Lengths inside the packet win over the frame's (Ethernet padding is cut off), clipped
 * to what was captured. Nothing is repaired and no checksum is looked at. What an ICMP error quotes is not walked: see
 * {@link IcmpError}.
 *
 * <p>An instance is used by one thread, again and again. What it says is valid until the next walk, and as long as the
 * segment's bytes are. No input makes it throw, loop or read outside the frame.
 */
public final class PacketWalker implements Layers {
    /** The most layers that a walk lists; with more it is {@link Stop#TOO_DEEP}. */
    public static final int MAX_LAYERS = 32;

    private final Walk walk = new Walk();
    private final @Nullable RegisteredLayers registered;

    /** A walker that knows the built-in protocols, and has walked nothing yet. */
    public PacketWalker() {
        registered = null;
    }

    /** A walker that knows these protocols as well. */
    public PacketWalker(Protocols protocols) {
        registered = protocols.isEmpty() ? null : new RegisteredLayers(walk, this, protocols);
    }

    /** Why a walk ended. */
    public enum Stop {
        /** At the application's bytes, a later fragment's, or a protocol that carries nothing. */
        COMPLETE,
        /** A header, or the options in it, goes on after the last byte. */
        TRUNCATED,
        /** A header has a field that cannot be. */
        MALFORMED,
        /** The link type, or a protocol that a layer names, is not known here. */
        UNSUPPORTED,
        /** There are more layers than {@link #MAX_LAYERS}. */
        TOO_DEEP,
        /** At a layer at which the caller asked to stop. */
        REACHED
    }

    /**
     * Walks a frame.
     *
     * @param segment where the frame lies; native, on hot paths
     * @param offset of its first byte in the segment
     * @param capturedLength bytes that lie there
     * @param wireLength bytes that it had on the wire
     * @param linkType a {@link LinkType} value; any other is {@link Stop#UNSUPPORTED}
     * @throws IndexOutOfBoundsException when the frame is not inside the segment
     */
    public Stop walk(MemorySegment segment, long offset, int capturedLength, int wireLength, int linkType) {
        Objects.checkFromIndexSize(offset, capturedLength, segment.byteSize());
        if (linkType == LinkType.ETHERNET && PlainUdp.walk(walk, segment, offset, capturedLength)) {
            return registered == null ? Stop.COMPLETE : beyondPlainUdp(registered);
        }
        return walkStepByStep(segment, offset, capturedLength, wireLength, linkType);
    }

    /** Walks frame {@code i} of a batch. */
    public Stop walk(FrameBatch batch, int i) {
        return walk(
                batch.segmentOf(i), batch.offset(i), batch.capturedLength(i), batch.wireLength(i), batch.linkType(i));
    }

    /** The walk without the shortcut. */
    Stop walkStepByStep(MemorySegment segment, long offset, int capturedLength, int wireLength, int linkType) {
        Walk walk = this.walk;
        walk.start(segment, offset, capturedLength, wireLength);
        int next = linkType == LinkType.ETHERNET ? CommonPath.ethernet(walk) : Walk.LINK | linkType & 0xffff;
        if (registered != null) {
            return walkRegistered(registered, next);
        }
        while (next != Walk.DONE) {
            next = rareStep(walk, next);
        }
        walk.finish();
        return walk.stop;
    }

    private Stop beyondPlainUdp(RegisteredLayers registered) {
        walk.layerCount = walk.transport + 1; // the payload, if it is listed, may yet be a layer
        return walkRegistered(registered, Walk.DONE);
    }

    /** The rest of a walk on which registered protocols are asked where the built-in ones end. */
    private Stop walkRegistered(RegisteredLayers registered, int first) {
        int step = RegisteredLayers.NONE;
        int before = 0;
        int next = first;
        while (next != Walk.DONE || (next = registered.goOn(step, before)) != Walk.DONE) {
            step = next;
            before = walk.layerCount;
            next = rareStep(walk, step);
        }
        walk.finish();
        return walk.stop;
    }

    /**
     * Walks a frame up to the outermost layer of one of the given kinds: that is the last one listed, and the walk is
     * {@link Stop#REACHED}. For who needs no more: it is cheaper above all with {@link LayerSet#TCP_OR_UDP}. A frame
     * without such a layer is walked to its end.
     *
     * <p>What such a layer carries is not listed as a layer; {@link #payloadOffset()} tells its place. Its length on the wire is
     * that of the innermost layer that told one.
     *
     * @throws IndexOutOfBoundsException when the frame is not inside the segment
     */
    public Stop walk(
            MemorySegment segment, long offset, int capturedLength, int wireLength, int linkType, LayerSet stopAt) {
        Objects.checkFromIndexSize(offset, capturedLength, segment.byteSize());
        if (linkType == LinkType.ETHERNET
                && stopAt.isAboveIp()
                && PlainTransport.walk(walk, segment, offset, capturedLength)) {
            return Stop.REACHED;
        }
        return walkStepByStep(segment, offset, capturedLength, wireLength, linkType, stopAt);
    }

    /** The walk up to a layer, without the shortcut. */
    Stop walkStepByStep(
            MemorySegment segment, long offset, int capturedLength, int wireLength, int linkType, LayerSet stopAt) {
        Walk walk = this.walk;
        int first = Walk.LINK | linkType & 0xffff;
        walk.start(segment, offset, capturedLength, wireLength);
        int next = linkType == LinkType.ETHERNET ? CommonPath.ethernet(walk) : rareStep(walk, first);
        int step = first;
        int from = 0;
        int reached = walk.find(stopAt, 0);
        int steps = 0;
        while (reached < 0) {
            if (next == Walk.DONE && registered != null) {
                next = registered.goOn(step, from);
                reached = walk.find(stopAt, from);
            }
            if (reached >= 0 || next == Walk.DONE) {
                break;
            }
            step = next;
            from = walk.layerCount;
            next = rareStep(walk, step);
            reached = walk.find(stopAt, from);
            steps++;
        }
        if (reached >= 0) {
            int headerEnd = walk.layerHeaderEnd(reached);
            if (reached < walk.network) { // the step went on into an IP packet: what was known before is needed
                walk.start(segment, offset, capturedLength, wireLength);
                repeat(walk, first, steps);
            }
            walk.reach(reached, headerEnd);
        }
        walk.finish();
        return walk.stop;
    }

    /** Goes so many steps; those that were listed beyond stay in the table. */
    private void repeat(Walk walk, int first, int steps) {
        int next = first;
        int step = first;
        int from = 0;
        for (int i = 0; i < steps; i++) {
            if (next == Walk.DONE && registered != null) {
                next = registered.goOn(step, from);
            }
            step = next;
            from = walk.layerCount;
            next = rareStep(walk, step);
        }
    }

    private static int rareStep(Walk walk, int next) {
        if (walk.lacksRoom()) {
            return walk.tooDeep(LayerType.PAYLOAD);
        }
        int number = next & 0xffff;
        return switch (next & ~0xffff) {
            case Walk.LINK -> LinkLayers.step(walk, number);
            case Walk.ETHER_TYPE -> EtherTypes.step(walk, number);
            case Walk.IP_PROTOCOL -> IpProtocols.step(walk, number);
            case Walk.PPP_PROTOCOL -> PppLayers.protocol(walk, number);
            case Walk.UDP_PORTS -> UdpTunnels.step(walk);
            default -> throw new AssertionError(next);
        };
    }

    /** The segment that was walked. */
    @Override
    public MemorySegment segment() {
        return walk.segment;
    }

    /** Where the frame starts, in the segment. */
    @Override
    public long frameOffset() {
        return walk.base;
    }

    /** Why the last walk ended. */
    public Stop stop() {
        return walk.stop;
    }

    /** The layer at which the walk stopped: the last one, or the one that could not be read. */
    public LayerType stopLayer() {
        return walk.stopLayer();
    }

    /** Where {@link #stopLayer()} starts, in bytes from the frame's start. */
    public int stopOffset() {
        return walk.stopAt();
    }

    /** Bytes that the header at which the walk stopped needs; 0 where it is not about bytes. */
    public int needed() {
        return walk.needed();
    }

    /** Bytes that there were from {@link #stopOffset()} on; 0 where it is not about bytes. */
    public int had() {
        return walk.had();
    }

    /** Layers that were found, the outermost first. */
    @Override
    public int layerCount() {
        return walk.layerCount;
    }

    /**
     * The kind of layer {@code i}.
     *
     * @param i 0 for the outermost
     */
    @Override
    public LayerType layerType(int i) {
        return LayerType.ofIndex(walk.layerIndex(checked(i)));
    }

    /** The registered protocol that layer {@code i} is of; null of a built-in one. */
    public @Nullable Protocol protocol(int i) {
        return registered != null && walk.layerIndex(checked(i)) == LayerType.REGISTERED.index()
                ? registered.of(i)
                : null;
    }

    /** The registered protocol of {@link #stopLayer()}; null where that is a built-in one. */
    public @Nullable Protocol stopProtocol() {
        return registered != null && stopLayer() == LayerType.REGISTERED ? registered.last() : null;
    }

    /** Where the layer's header starts, in the segment. */
    @Override
    public long layerOffset(int i) {
        return walk.base + walk.layerStart(checked(i));
    }

    /** Bytes of its header that were captured, up to where the next layer starts. */
    @Override
    public int layerHeaderLength(int i) {
        return walk.layerHeaderEnd(checked(i)) - walk.layerStart(i);
    }

    /** Bytes of its header and of what it carries, by its own length where it has one, as far as captured. */
    @Override
    public int layerLength(int i) {
        return walk.layerEnd(checked(i)) - walk.layerStart(i);
    }

    private int checked(int i) {
        return Objects.checkIndex(i, walk.layerCount);
    }

    /** The outermost layer of that type, or -1. */
    public int indexOf(LayerType type) {
        for (int i = 0; i < walk.layerCount; i++) {
            if (walk.layerIndex(i) == type.index()) {
                return i;
            }
        }
        return -1;
    }

    /** The innermost layer of that type, or -1. */
    public int lastIndexOf(LayerType type) {
        for (int i = walk.layerCount - 1; i >= 0; i--) {
            if (walk.layerIndex(i) == type.index()) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The layer of that type that has {@code n} others of it around: 0 for the outermost, 1 for the next one; -1 when there
     * are not so many.
     */
    public int indexOf(LayerType type, int n) {
        int left = n;
        for (int i = 0; i < walk.layerCount; i++) {
            if (walk.layerIndex(i) == type.index() && left-- == 0) {
                return i;
            }
        }
        return -1;
    }

    /** Whether there is a layer of that kind. */
    public boolean has(LayerType type) {
        return indexOf(type) >= 0;
    }

    /** Layer {@code i}'s type as a number, for tables. */
    int layerIndex(int i) {
        return walk.layerIndex(i);
    }

    /** Puts the view on layer {@code i}; false, and the view stays where it was, when its header is not whole and sound. */
    public boolean wrap(LayerView view, int i) {
        int start = walk.layerStart(checked(i));
        return view.wrap(walk.segment, walk.base + start, walk.layerEnd(i) - start) == WrapStatus.OK;
    }

    /**
     * Puts the view on the outermost layer that it reads: {@code if (walker.find(udp)) ... udp.sourcePort()}.
     *
     * @return false, and the view stays where it was, when there is none, or its header is not whole and sound
     */
    public boolean find(LayerView view) {
        return find(view, 0);
    }

    /** Puts the view on the layer that it reads with {@code n} others of the kind around it: 0 is the outermost. */
    public boolean find(LayerView view, int n) {
        int left = n;
        for (int i = 0; i < walk.layerCount; i++) {
            if (isRead(view, i) && left-- == 0) {
                return wrap(view, i);
            }
        }
        return false;
    }

    /** Puts the view on the innermost layer that it reads. */
    public boolean findLast(LayerView view) {
        for (int i = walk.layerCount - 1; i >= 0; i--) {
            if (isRead(view, i)) {
                return wrap(view, i);
            }
        }
        return false;
    }

    private boolean isRead(LayerView view, int i) {
        if (!view.reads(LayerType.ofIndex(walk.layerIndex(i)))) {
            return false;
        }
        Protocol own = protocol(i);
        return own == null || view.readsProtocol(own);
    }

    /** How many layers of that kind there are. */
    public int count(LayerType type) {
        int found = 0;
        for (int i = 0; i < walk.layerCount; i++) {
            if (walk.layerIndex(i) == type.index()) {
                found++;
            }
        }
        return found;
    }

    /** The innermost {@link LayerType#IPV4} or {@link LayerType#IPV6} layer, or -1. */
    @Override
    public int network() {
        return walk.network;
    }

    /** The TCP, UDP, SCTP, ICMP, ICMPv6, UDP-Lite or DCCP layer of the innermost IP packet, or -1. */
    @Override
    public int transport() {
        return walk.transport;
    }

    /** The protocol number (IANA) of what the innermost IP packet carries, behind its extension headers; -1 without IP. */
    public int protocol() {
        return walk.network < 0 ? -1 : walk.protocol;
    }

    /**
     * Whether the innermost IP packet is one of several fragments. The first is walked on into its transport layer, as
     * far as that is there; of the later ones the bytes are {@link LayerType#PAYLOAD}.
     */
    public boolean isFragment() {
        return walk.network >= 0 && walk.isFragment;
    }

    /** The outermost IP layer that is a fragment, or -1. Below {@link #network()}, a tunnel's packet is in pieces. */
    public int outermostFragment() {
        return walk.outermostFragment;
    }

    /** Where what the innermost IP packet carries starts, in the segment: behind its extension headers. */
    public long networkPayloadOffset() {
        return walk.base + (walk.network < 0 ? walk.payloadAt : walk.networkPayloadAt);
    }

    /** Bytes that were captured of it: the fragment's, where it is one. */
    public int networkPayloadLength() {
        if (walk.network < 0) {
            return payloadLength();
        }
        return walk.layerEnd(walk.network) - walk.networkPayloadAt;
    }

    /**
     * Where the bytes above the transport header start, in the segment; without one, above the IP layer; without that,
     * above the last layer.
     */
    @Override
    public long payloadOffset() {
        return walk.base + walk.payloadAt;
    }

    /** Bytes that were captured of them; link padding does not count. */
    @Override
    public int payloadLength() {
        return walk.payloadEnd - walk.payloadAt;
    }

    /** Bytes of them there were, by the lengths in the headers. */
    @Override
    public int payloadWireLength() {
        return walk.payloadWireEnd - walk.payloadAt;
    }

    /** Whether the payload goes on after what was captured. */
    public boolean isSnapped() {
        return walk.payloadWireEnd > walk.payloadEnd;
    }

    /** First half of the innermost IP source address, IPv4 as IPv4-mapped IPv6 (see {@link Endpoint}); 0 without IP. */
    @Override
    public long sourceHigh() {
        return walk.isIpv6() ? NetworkOrder.bits64(walk.segment, networkOffset() + Ipv6View.SOURCE) : 0;
    }

    /** Second half of the innermost IP source address. */
    @Override
    public long sourceLow() {
        return low(Ipv4View.SOURCE, Ipv6View.SOURCE + 8);
    }

    /** First half of the innermost IP destination address, as {@link #sourceHigh()}. */
    @Override
    public long destinationHigh() {
        return walk.isIpv6() ? NetworkOrder.bits64(walk.segment, networkOffset() + Ipv6View.DESTINATION) : 0;
    }

    /** Second half of the innermost IP destination address. */
    @Override
    public long destinationLow() {
        return low(Ipv4View.DESTINATION, Ipv6View.DESTINATION + 8);
    }

    private long low(int inIpv4, int inIpv6) {
        if (walk.network < 0) {
            return 0;
        }
        long header = networkOffset();
        return walk.isIpv6()
                ? NetworkOrder.bits64(walk.segment, header + inIpv6)
                : 0xffff_0000_0000L | NetworkOrder.u32(walk.segment, header + inIpv4);
    }

    private long networkOffset() {
        return walk.base + walk.layerStart(walk.network);
    }

    /** 0 to 65535; 0 where there is no transport layer, or one without ports. */
    @Override
    public int sourcePort() {
        return walk.transport < 0 ? 0 : walk.ports >>> 16;
    }

    /** 0 to 65535; 0 where there is no transport layer, or one without ports. */
    @Override
    public int destinationPort() {
        return walk.transport < 0 ? 0 : walk.ports & 0xffff;
    }

    /**
     * What tells equal addresses in several VLANs apart: the outermost tag that names a VLAN, service tags included.
     *
     * @return 1 to 4095; 0 for a frame without such a tag
     */
    public int scope() {
        for (int i = 0; i < layerCount(); i++) {
            LayerType type = layerType(i);
            if (type == LayerType.VLAN || type == LayerType.SERVICE_VLAN) {
                int id = NetworkOrder.u16(segment(), layerOffset(i) + VlanView.TAG) & 0xfff;
                if (id != 0) {
                    return id;
                }
            }
        }
        return 0;
    }
}
