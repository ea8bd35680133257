package io.offhook.flow.table;

import io.offhook.flow.state.KeyTable;
import io.offhook.packet.Endpoint;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.link.PppoeView;
import io.offhook.packet.link.VlanView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.tunnel.GeneveView;
import io.offhook.packet.tunnel.VxlanView;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Assigns small numbers to the paths of packets; 0 is the path without VLANs and tunnels. A known path costs no
 * allocation. A limit on paths keeps a sender of invented tags from exhausting memory: paths beyond it share one
 * number.
 *
 * <p>A tunnel is identified by its network number if that is equal in both directions (VNI of VXLAN and Geneve, session
 * of PPPoE), otherwise by its two endpoints: GRE keys, GTP tunnel endpoint identifiers and L2TP sessions may differ by
 * direction.
 */
final class FlowPaths {
    /** The number shared by all paths beyond the limit; it is above all others. */
    static final int OVERFLOW = (1 << 16) - 1;

    private static final FlowPath OTHERS = new FlowPath(List.of(new FlowPath.Step("others", 0, List.of())));
    private static final int VLAN = 1;
    private static final int PPPOE = 2;
    private static final int IP = 3;
    private static final List<String> KINDS =
            List.of("", "vlan", "pppoe", "ip", "gre", "vxlan", "geneve", "gtpu", "l2tp", "teredo", "capwap");

    private final KeyTable table = new KeyTable(OVERFLOW - 1);
    private final List<FlowPath> paths = new ArrayList<>(List.of(FlowPath.NONE));

    // the endpoints of the current tunnel, the lower one first
    private long lowHigh;
    private long lowLow;
    private long highHigh;
    private long highLow;

    /** The number of the path of the packet walked last, which must have an IP layer. */
    int of(PacketWalker walker) {
        int path = 0;
        int network = walker.network();
        for (int i = 0; i < network && path != OVERFLOW; i++) {
            path = switch (walker.layerType(i)) {
                case VLAN, SERVICE_VLAN -> vlan(path, walker, i);
                case PPPOE -> pppoe(path, walker, i);
                case IPV4, IPV6 -> tunnel(path, walker, i);
                default -> path;
            };
        }
        return path;
    }

    FlowPath path(int number) {
        return number == OVERFLOW ? OTHERS : paths.get(number);
    }

    private int vlan(int path, PacketWalker walker, int layer) {
        int id = NetworkOrder.u16(walker.segment(), walker.layerOffset(layer) + VlanView.TAG) & 0xfff;
        return id == 0 ? path : numbered(path, VLAN, id);
    }

    private int pppoe(int path, PacketWalker walker, int layer) {
        long header = walker.layerOffset(layer);
        return numbered(path, PPPOE, NetworkOrder.u16(walker.segment(), header + PppoeView.SESSION_ID));
    }

    /** The tunnel that an outer IP packet carries, identified by the last tunnel header before the next packet. */
    private int tunnel(int path, PacketWalker walker, int layer) {
        int kind = IP;
        long header = 0;
        for (int i = layer + 1; i < walker.network(); i++) {
            LayerType type = walker.layerType(i);
            if (type == LayerType.IPV4 || type == LayerType.IPV6) {
                break;
            }
            int named = kind(type);
            if (named > 0) {
                kind = named;
                header = walker.layerOffset(i);
            }
        }
        if (kind == kind(LayerType.VXLAN)) {
            return numbered(path, kind, NetworkOrder.u24(walker.segment(), header + VxlanView.VNI));
        }
        if (kind == kind(LayerType.GENEVE)) {
            return numbered(path, kind, NetworkOrder.u24(walker.segment(), header + GeneveView.VNI));
        }
        readEnds(walker.segment(), walker.layerOffset(layer), walker.layerType(layer) == LayerType.IPV4);
        return step(path, kind, 0);
    }

    /** The index in {@link #KINDS}; 0 if the layer is not a tunnel. */
    private static int kind(LayerType type) {
        return switch (type) {
            case GRE -> 4;
            case VXLAN -> 5;
            case GENEVE -> 6;
            case GTP_U -> 7;
            case L2TP -> 8;
            case TEREDO -> 9;
            case CAPWAP -> 10;
            default -> 0;
        };
    }

    private void readEnds(MemorySegment segment, long ip, boolean isIpv4) {
        long source = ip + (isIpv4 ? Ipv4View.SOURCE : Ipv6View.SOURCE);
        long destination = ip + (isIpv4 ? Ipv4View.DESTINATION : Ipv6View.DESTINATION);
        long sourceHigh = isIpv4 ? 0 : NetworkOrder.bits64(segment, source);
        long sourceLow = isIpv4 ? ipv4(segment, source) : NetworkOrder.bits64(segment, source + 8);
        long destinationHigh = isIpv4 ? 0 : NetworkOrder.bits64(segment, destination);
        long destinationLow = isIpv4 ? ipv4(segment, destination) : NetworkOrder.bits64(segment, destination + 8);
        int order = Long.compareUnsigned(sourceHigh, destinationHigh);
        boolean isUpward = order < 0 || order == 0 && Long.compareUnsigned(sourceLow, destinationLow) <= 0;
        lowHigh = isUpward ? sourceHigh : destinationHigh;
        lowLow = isUpward ? sourceLow : destinationLow;
        highHigh = isUpward ? destinationHigh : sourceHigh;
        highLow = isUpward ? destinationLow : sourceLow;
    }

    private static long ipv4(MemorySegment segment, long offset) {
        return 0xffff_0000_0000L | NetworkOrder.u32(segment, offset);
    }

    private int numbered(int path, int kind, int id) {
        lowHigh = 0;
        lowLow = 0;
        highHigh = 0;
        highLow = 0;
        return step(path, kind, id);
    }

    /** The path extended by one step with the current endpoints. */
    private int step(int path, int kind, int id) {
        long last = (long) path << 40 | (long) kind << 32 | id;
        int hash = table.hash(lowHigh, lowLow, highHigh, highLow, last);
        int number = table.find(hash, lowHigh, lowLow, highHigh, highLow, last);
        if (number != KeyTable.NONE) {
            return number + 1;
        }
        if (table.isFull()) {
            return OVERFLOW;
        }
        table.add(hash, lowHigh, lowLow, highHigh, highLow, last);
        List<String> ends = lowLow == 0 && lowHigh == 0 && highLow == 0 && highHigh == 0
                ? List.of()
                : List.of(
                        new Endpoint(lowHigh, lowLow, 0).addressText(),
                        new Endpoint(highHigh, highLow, 0).addressText());
        paths.add(paths.get(path).with(new FlowPath.Step(KINDS.get(kind), id, ends)));
        return paths.size() - 1;
    }
}
