package io.offhook.flow;

import io.offhook.flow.table.Flow;
import io.offhook.flow.table.FlowHandler;
import io.offhook.flow.table.FlowLimits;
import io.offhook.flow.table.FlowTable;
import io.offhook.packet.Endpoint;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hand-made frames, walked and given to a {@link FlowTable}, whose ended flows are noted. Time goes on by a millisecond each. */
public final class FlowWire {
    public static final long MS = 1_000_000;
    public static final long START_NS = 1_700_000_000_000_000_000L;
    public static final int FIN = 0x01;
    public static final int SYN = 0x02;
    public static final int RST = 0x04;
    public static final int ACK = 0x10;
    public static final Endpoint CLIENT = Endpoint.ofIpv4(0x0a000001, 40_000);
    public static final Endpoint SERVER = Endpoint.ofIpv4(0x0a000002, 5060);

    /** A flow that ended, and why. */
    public record Ended(Flow flow, FlowHandler.End reason) {}

    public final List<Ended> ended = new ArrayList<>();
    public final FlowTable table;
    public final MemorySegment frame = Arena.ofAuto().allocate(1 << 12);
    public final PacketWalker walker = new PacketWalker();
    public long nowNs = START_NS;
    long frameNumber;
    /** VLAN tags of the frames that follow, outermost first. */
    public List<Integer> vlans = List.of();
    /** VXLAN network that the frames that follow are in; 0 for none. */
    public int vni;
    /** Outer addresses of IP in IP that the packets that follow are in, as the last byte of 192.0.2.x; 0 for none. */
    public int outerSource;

    public int outerDestination;
    int window = 1000;
    /** Identification, offset and "more" of IPv4 packets that follow. */
    public int identification;

    public int fragmentOffset;
    public boolean isMore;

    /** Frames are made and walked, and that is all. */
    public boolean isWithoutTable;

    /** Where copies of frames go that are made without the table; null for nowhere. */
    public @Nullable List<MemorySegment> recorded;

    private int at;

    public FlowWire(FlowLimits limits) {
        table = new FlowTable(limits, (flow, reason) -> ended.add(new Ended(flow, reason)));
    }

    public FlowWire() {
        this(FlowLimits.DEFAULT);
    }

    public @Nullable Flow udp(Endpoint source, Endpoint destination, int length) {
        int start = begin(source, destination, 17, 8 + length);
        if (fragmentOffset == 0) {
            NetworkOrder.putU16(frame, start, source.port());
            NetworkOrder.putU16(frame, start + 2, destination.port());
            NetworkOrder.putU16(frame, start + 4, 8 + length);
            NetworkOrder.putU16(frame, start + 6, 0);
        }
        return add(start + 8 + length);
    }

    public @Nullable Flow icmp(Endpoint source, Endpoint destination, int type, int code) {
        int start = begin(source, destination, source.isIpv4() ? 1 : 58, 8);
        NetworkOrder.putU8(frame, start, type);
        NetworkOrder.putU8(frame, start + 1, code);
        return add(start + 8);
    }

    public @Nullable Flow other(Endpoint source, Endpoint destination, int protocol) {
        int start = begin(source, destination, protocol, 20);
        frame.asSlice(start, 20).fill((byte) 0);
        return add(start + 20);
    }

    public @Nullable Flow tcp(
            Endpoint source, Endpoint destination, long sequence, int flags, long acknowledgment, int length) {
        int start = begin(source, destination, 6, 20 + length);
        NetworkOrder.putU16(frame, start, source.port());
        NetworkOrder.putU16(frame, start + 2, destination.port());
        NetworkOrder.putU32(frame, start + 4, sequence);
        NetworkOrder.putU32(frame, start + 8, acknowledgment);
        NetworkOrder.putU16(frame, start + 12, 5 << 12 | flags);
        NetworkOrder.putU16(frame, start + 14, window);
        NetworkOrder.putU32(frame, start + 16, 0);
        return add(start + 20 + length);
    }

    public @Nullable Flow client(long sequence, int flags, long acknowledgment, int length) {
        return tcp(CLIENT, SERVER, sequence, flags, acknowledgment, length);
    }

    public @Nullable Flow server(long sequence, int flags, long acknowledgment, int length) {
        return tcp(SERVER, CLIENT, sequence, flags, acknowledgment, length);
    }

    /** A frame without IP. */
    public @Nullable Flow arp() {
        frame.asSlice(0, 60).fill((byte) 0);
        NetworkOrder.putU16(frame, 12, 0x0806);
        NetworkOrder.putU16(frame, 14, 1);
        NetworkOrder.putU16(frame, 16, 0x0800);
        NetworkOrder.putU16(frame, 18, 0x0604);
        return add(60);
    }

    /** SYN, SYN ACK, ACK, a millisecond apart; the first bytes have the numbers 1001 and 5001. */
    public void handshake() {
        client(1000, SYN, 0, 0);
        server(5000, SYN | ACK, 1001, 0);
        client(1001, ACK, 5001, 0);
    }

    private int begin(Endpoint source, Endpoint destination, int protocol, int length) {
        at = 0;
        int inner = (source.isIpv4() ? 20 : 40) + length;
        ethernet(vlans, outerSource != 0 || vni != 0 ? 0x0800 : type(source));
        if (outerSource != 0) {
            ipv4(outer(outerSource), outer(outerDestination), vni != 0 ? 17 : 4, inner + (vni != 0 ? 30 : 0));
        }
        if (vni != 0) {
            NetworkOrder.putU16(frame, at, 50_000);
            NetworkOrder.putU16(frame, at + 2, 4789);
            NetworkOrder.putU16(frame, at + 4, 8 + 8 + 14 + inner);
            NetworkOrder.putU16(frame, at + 6, 0);
            NetworkOrder.putU32(frame, at + 8, 0x0800_0000L);
            NetworkOrder.putU32(frame, at + 12, (long) vni << 8);
            at += 16;
            ethernet(List.of(), type(source));
        }
        if (source.isIpv4()) {
            ipv4(source, destination, protocol, length);
            NetworkOrder.putU16(frame, at - 16, identification);
            NetworkOrder.putU16(frame, at - 14, (isMore ? 0x2000 : 0) | fragmentOffset / 8);
        } else {
            ipv6(source, destination, protocol, length);
        }
        return at;
    }

    private static int type(Endpoint endpoint) {
        return endpoint.isIpv4() ? 0x0800 : 0x86dd;
    }

    private static Endpoint outer(int last) {
        return Endpoint.ofIpv4(0xc0000200 | last, 0);
    }

    private void ethernet(List<Integer> tags, int type) {
        frame.asSlice(at, 12).fill((byte) 2);
        at += 12;
        for (int tag : tags) {
            NetworkOrder.putU16(frame, at, 0x8100);
            NetworkOrder.putU16(frame, at + 2, tag);
            at += 4;
        }
        NetworkOrder.putU16(frame, at, type);
        at += 2;
    }

    private void ipv4(Endpoint source, Endpoint destination, int protocol, int length) {
        frame.asSlice(at, 20).fill((byte) 0);
        NetworkOrder.putU8(frame, at, 0x45);
        NetworkOrder.putU16(frame, at + 2, 20 + length);
        NetworkOrder.putU8(frame, at + 8, 64);
        NetworkOrder.putU8(frame, at + 9, protocol);
        NetworkOrder.putU32(frame, at + 12, source.low() & 0xffff_ffffL);
        NetworkOrder.putU32(frame, at + 16, destination.low() & 0xffff_ffffL);
        at += 20;
    }

    private void ipv6(Endpoint source, Endpoint destination, int protocol, int length) {
        frame.asSlice(at, 8).fill((byte) 0);
        NetworkOrder.putU8(frame, at, 0x60);
        NetworkOrder.putU16(frame, at + 4, length);
        NetworkOrder.putU8(frame, at + 6, protocol);
        NetworkOrder.putU8(frame, at + 7, 64);
        NetworkOrder.putBits64(frame, at + 8, source.high());
        NetworkOrder.putBits64(frame, at + 16, source.low());
        NetworkOrder.putBits64(frame, at + 24, destination.high());
        NetworkOrder.putBits64(frame, at + 32, destination.low());
        at += 40;
    }

    private @Nullable Flow add(int length) {
        walker.walk(frame, 0, length, length, LinkType.ETHERNET);
        if (isWithoutTable) {
            frameNumber++;
            if (recorded != null) {
                recorded.add(Arena.ofAuto().allocate(length).copyFrom(frame.asSlice(0, length)));
            }
            return null;
        }
        Flow flow = table.add(walker, length, nowNs, ++frameNumber);
        nowNs += MS;
        return flow;
    }
}
