package io.offhook.packet.walk;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import java.lang.foreign.MemorySegment;

/**
 * The packet that an ICMP error quotes: where it lies, so that it can be walked on its own, with {@link LinkType#RAW}.
 * It says which flow the error is about (RFC 792; RFC 1812, 4.3.2.3; RFC 4443, 2.4); its payload is no traffic.
 */
public final class IcmpError {
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;
    private int wireLength;
    private int type;
    private int code;

    /** One that has found nothing yet. */
    public IcmpError() {}

    /**
     * Looks at the transport layer that a walk found.
     *
     * @return whether it is an ICMP or ICMPv6 error that quotes at least the first byte of a packet
     */
    public boolean find(PacketWalker walker) {
        int layer = walker.transport();
        if (layer < 0) {
            return false;
        }
        LayerType kind = walker.layerType(layer);
        if (kind != LayerType.ICMP && kind != LayerType.ICMPV6) {
            return false;
        }
        MemorySegment segment = walker.segment();
        long header = walker.layerOffset(layer);
        int quoted = walker.layerLength(layer) - IcmpView.LENGTH;
        int type = NetworkOrder.u8(segment, header + IcmpView.TYPE);
        if (quoted < 1 || !(kind == LayerType.ICMP ? isIpv4Error(type) : isIpv6Error(type))) {
            return false;
        }
        this.segment = segment;
        this.type = type;
        code = NetworkOrder.u8(segment, header + IcmpView.CODE);
        offset = header + IcmpView.LENGTH;
        length = quoted;
        wireLength = quoted + walker.payloadWireLength() - walker.payloadLength();
        return true;
    }

    private static boolean isIpv4Error(int type) {
        return switch (type) {
            case IcmpView.DESTINATION_UNREACHABLE,
                    IcmpView.SOURCE_QUENCH,
                    IcmpView.REDIRECT,
                    IcmpView.TIME_EXCEEDED,
                    IcmpView.PARAMETER_PROBLEM -> true;
            default -> false;
        };
    }

    private static boolean isIpv6Error(int type) {
        return type >= Icmpv6View.DESTINATION_UNREACHABLE && type <= Icmpv6View.PARAMETER_PROBLEM;
    }

    /** Of the error: of ICMP or of ICMPv6, as the layer is. */
    public int type() {
        return type;
    }

    /** Of the ICMP or ICMPv6 message. */
    public int code() {
        return code;
    }

    /** Where the quoted packet lies. */
    public MemorySegment segment() {
        return segment;
    }

    /** The offset of the quoted packet in the segment. */
    public long offset() {
        return offset;
    }

    /** Bytes of it that were captured; routers quote as few as the header and 8 bytes. */
    public int length() {
        return length;
    }

    /** Bytes of it that the error quoted. */
    public int wireLength() {
        return wireLength;
    }
}
