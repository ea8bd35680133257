package io.offhook.packet.walk;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import java.lang.foreign.MemorySegment;

/**
 * Locates the packet that an ICMP error quotes, so that it can be walked by itself, with {@link LinkType#RAW}. It
 * identifies the flow that the error concerns (RFC 792; RFC 1812, 4.3.2.3; RFC 4443, 2.4); its payload is no traffic.
 */
public final class IcmpError {
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;
    private int wireLength;
    private int type;
    private int code;

    /** Creates a reader; call {@link #find} before any accessor. */
    public IcmpError() {}

    /**
     * Reads the transport layer of a walked packet.
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

    /** The type of the error, of ICMP or ICMPv6 depending on the layer. */
    public int type() {
        return type;
    }

    /** The code of the error. */
    public int code() {
        return code;
    }

    /** The offset of the quoted packet in the segment. */
    public long offset() {
        return offset;
    }

    /** The segment that holds the quoted packet. */
    public MemorySegment segment() {
        return segment;
    }

    /** The number of captured bytes of the quoted packet; routers quote as few as the header and 8 bytes. */
    public int length() {
        return length;
    }

    /** The number of bytes that the error quotes. */
    public int wireLength() {
        return wireLength;
    }
}
