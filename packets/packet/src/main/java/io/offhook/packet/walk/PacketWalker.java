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
 * Finds the layers of one frame, in place and without allocation, and then reports the location of each and the payload
 * of the innermost IP packet.
 *
 * <p>A layer is listed if the fixed part of its header was captured and is valid. The cause of an early stop is
 * reported with its place, and the layers below it remain. Lengths in the packet take precedence over the frame's
 * (Ethernet padding is cut off), clipped to what was captured. The walk repairs nothing and verifies no checksum. It
 * does not enter the packet that an ICMP error quotes: see {@link IcmpError}.
 *
 * <p>Reusable; single-threaded. Results are valid until the next walk, and only as long as the bytes of the segment. No
 * input makes it throw, loop or read outside the frame.
 */
public final class PacketWalker implements Layers {
    /** The maximum number of layers of a walk; with more it ends with {@link Stop#TOO_DEEP}. */
    public static final int MAX_LAYERS = 32;

    private final Walk walk = new Walk();
    private final @Nullable RegisteredLayers registered;

    /** Creates a walker that knows the built-in protocols. */
    public PacketWalker() {
        registered = null;
    }

    /** Creates a walker that also knows the given protocols. */
    public PacketWalker(Protocols protocols) {
        registered = protocols.isEmpty() ? null : new RegisteredLayers(walk, this, protocols);
    }

    /** Why a walk ended. */
    public enum Stop {
        /** It reached the payload, the bytes of a later fragment, or a protocol without payload. */
        COMPLETE,
        /** A header or its options continue after the last captured byte. */
        TRUNCATED,
        /** A header has an invalid field. */
        MALFORMED,
        /** The link type, or a protocol that a layer names, is unknown. */
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
     * @param offset the offset of its first byte in the segment
     * @param capturedLength the number of captured bytes
     * @param wireLength the number of bytes on the wire
     * @param linkType a {@link LinkType} value; any other is {@link Stop#UNSUPPORTED}
     * @throws IndexOutOfBoundsException if the frame is not inside the segment
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
        walk.layerCount = walk.transport + 1; // a registered protocol may yet claim the payload
        return walkRegistered(registered, Walk.DONE);
    }

    /** The rest of a walk that consults the registered protocols where the built-in ones end. */
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
     * Walks a frame up to the outermost layer of one of the given types: it is the last one listed, and the walk ends
     * with {@link Stop#REACHED}. Cheaper than a full walk, above all with {@link LayerSet#TCP_OR_UDP}. A frame without
     * such a layer is walked to its end.
     *
     * <p>The payload of such a layer is not listed as a layer; {@link #payloadOffset()} returns its offset. Its length
     * on the wire is that of the innermost layer with a length.
     *
     * @throws IndexOutOfBoundsException if the frame is not inside the segment
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
            if (reached < walk.network) { // the step entered an IP packet and overwrote earlier results
                walk.start(segment, offset, capturedLength, wireLength);
                repeat(walk, first, steps);
            }
            walk.reach(reached, headerEnd);
        }
        walk.finish();
        return walk.stop;
    }

    /** Takes that many steps; layers listed beyond them remain in the table. */
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

    /** The offset of the frame in the segment. */
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

    /** The offset of {@link #stopLayer()} in the frame, in bytes. */
    public int stopOffset() {
        return walk.stopAt();
    }

    /** The number of bytes required by the header at which the walk stopped; 0 if bytes were not the cause. */
    public int needed() {
        return walk.needed();
    }

    /** The number of bytes available from {@link #stopOffset()}; 0 if bytes were not the cause. */
    public int had() {
        return walk.had();
    }

    /** The number of layers found; layer 0 is the outermost. */
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

    /** The registered protocol of layer {@code i}; null if it is built in. */
    public @Nullable Protocol protocol(int i) {
        return registered != null && walk.layerIndex(checked(i)) == LayerType.REGISTERED.index()
                ? registered.of(i)
                : null;
    }

    /** The registered protocol of {@link #stopLayer()}; null if it is built in. */
    public @Nullable Protocol stopProtocol() {
        return registered != null && stopLayer() == LayerType.REGISTERED ? registered.last() : null;
    }

    /** The offset in the segment of the header of layer {@code i}. */
    @Override
    public long layerOffset(int i) {
        return walk.base + walk.layerStart(checked(i));
    }

    /** The number of captured bytes of its header, up to the next layer. */
    @Override
    public int layerHeaderLength(int i) {
        return walk.layerHeaderEnd(checked(i)) - walk.layerStart(i);
    }

    /** The number of captured bytes of its header and payload, by its own length if it has one. */
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
     * The layer of that type inside {@code n} others of the same type: 0 for the outermost, 1 for the next one; -1 if
     * there are not that many.
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

    /** Whether the packet has a layer of that type. */
    public boolean has(LayerType type) {
        return indexOf(type) >= 0;
    }

    /** Layer {@code i}'s type as a number, for tables. */
    int layerIndex(int i) {
        return walk.layerIndex(i);
    }

    /** Wraps layer {@code i}; false, with the view unchanged, if the header is incomplete or invalid. */
    public boolean wrap(LayerView view, int i) {
        int start = walk.layerStart(checked(i));
        return view.wrap(walk.segment, walk.base + start, walk.layerEnd(i) - start) == WrapStatus.OK;
    }

    /**
     * Wraps the outermost layer that the view reads: {@code if (walker.find(udp)) ... udp.sourcePort()}.
     *
     * @return false, with the view unchanged, if there is none or its header is incomplete or invalid
     */
    public boolean find(LayerView view) {
        return find(view, 0);
    }

    /** Wraps layer {@code n} of those that the view reads; 0 is the outermost. */
    public boolean find(LayerView view, int n) {
        int left = n;
        for (int i = 0; i < walk.layerCount; i++) {
            if (isRead(view, i) && left-- == 0) {
                return wrap(view, i);
            }
        }
        return false;
    }

    /** Wraps the innermost layer that the view reads. */
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

    /** The number of layers of that type. */
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

    /**
     * The identification of the innermost IP packet (RFC 791, 3.1), the same in all its copies: 0 to 65535; -1 if it is of
     * IPv6 or there is none.
     */
    public int identification() {
        long word = walk.networkWord;
        if (word != 0) {
            return PlainUdp.identification(word);
        }
        int network = walk.network;
        return network >= 0 && layerType(network) == LayerType.IPV4
                ? NetworkOrder.u16(segment(), layerOffset(network) + Ipv4View.IDENTIFICATION)
                : -1;
    }

    /** The TCP, UDP, SCTP, ICMP, ICMPv6, UDP-Lite or DCCP layer of the innermost IP packet, or -1. */
    @Override
    public int transport() {
        return walk.transport;
    }

    /** The protocol number (IANA) of the innermost IP packet's payload, after extension headers; -1 without IP. */
    public int protocol() {
        return walk.network < 0 ? -1 : walk.protocol;
    }

    /**
     * Whether the innermost IP packet is one of several fragments. The first fragment is walked into its transport
     * layer, as far as it has one; the bytes of later fragments are {@link LayerType#PAYLOAD}.
     */
    public boolean isFragment() {
        return walk.network >= 0 && walk.isFragment;
    }

    /**
     * The outermost IP layer that is a fragment, or -1. If it is outside {@link #network()}, the packet of a tunnel is
     * fragmented.
     */
    public int outermostFragment() {
        return walk.outermostFragment;
    }

    /** The offset in the segment of the payload of the innermost IP packet, after its extension headers. */
    public long networkPayloadOffset() {
        return walk.base + (walk.network < 0 ? walk.payloadAt : walk.networkPayloadAt);
    }

    /** The number of captured bytes of that payload; for a fragment, of the fragment. */
    public int networkPayloadLength() {
        if (walk.network < 0) {
            return payloadLength();
        }
        return walk.layerEnd(walk.network) - walk.networkPayloadAt;
    }

    /**
     * The offset in the segment of the bytes above the transport header; without one, above the IP layer; without that,
     * above the last layer.
     */
    @Override
    public long payloadOffset() {
        return walk.base + walk.payloadAt;
    }

    /** The number of captured payload bytes, without link padding. */
    @Override
    public int payloadLength() {
        return walk.payloadEnd - walk.payloadAt;
    }

    /** The number of payload bytes sent, by the lengths in the headers. */
    @Override
    public int payloadWireLength() {
        return walk.payloadWireEnd - walk.payloadAt;
    }

    /** Whether the payload continues after the last captured byte. */
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

    /** The port, 0 to 65535; 0 without a transport layer that has ports. */
    @Override
    public int sourcePort() {
        return walk.transport < 0 ? 0 : walk.ports >>> 16;
    }

    /** The port, 0 to 65535; 0 without a transport layer that has ports. */
    @Override
    public int destinationPort() {
        return walk.transport < 0 ? 0 : walk.ports & 0xffff;
    }

    /**
     * The number that separates equal addresses in different VLANs: that of the outermost tag with a VLAN, service tags
     * included.
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
