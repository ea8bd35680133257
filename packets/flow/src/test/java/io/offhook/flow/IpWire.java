package io.offhook.flow;

import io.offhook.flow.fragment.DatagramBeginningHandler;
import io.offhook.flow.fragment.FragmentCounter;
import io.offhook.flow.fragment.FragmentLimits;
import io.offhook.flow.fragment.FragmentTable;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Hand-made IP fragments, given to a {@link FragmentTable}. Each lies behind a link header, with padding after it. */
public final class IpWire implements AutoCloseable {
    public static final long MS = 1_000_000;
    public static final long START_NS = 1_700_000_000_000_000_000L;
    public static final int LINK_HEADER = 14;
    public static final int UDP = 17;

    public final FragmentTable table;
    /** Each frame has a place of its own, and stays there. */
    private final boolean isStaying;

    public MemorySegment frame = Arena.ofAuto().allocate(1 << 17);
    public long nowNs = START_NS;
    public long frameNumber;
    public int scope;
    public int protocol = UDP;
    public int source = 0x0a000001;
    /** Bytes of options in the headers of IPv4 fragments, a multiple of 4. */
    public int options;
    /** A hop-by-hop header of so many bytes, a multiple of 8, before the IPv6 fragment header. */
    public int hopByHop;

    public IpWire(FragmentLimits limits) {
        this(limits, null);
    }

    public IpWire(FragmentLimits limits, @Nullable DatagramBeginningHandler handler) {
        table = new FragmentTable(limits, handler);
        isStaying = false;
    }

    public IpWire(FragmentLimits limits, OverlapPolicy policy, Holding holding) {
        table = new FragmentTable(limits, policy, holding, null);
        isStaying = holding == Holding.REFERENCE;
    }

    public IpWire() {
        this(FragmentLimits.DEFAULT);
    }

    /** Bytes that differ from place to place. */
    public static byte[] payload(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + (i >>> 8) * 17 + seed * 101);
        }
        return bytes;
    }

    public FragmentTable.Result v4(int identification, int offset, boolean more, byte[] payload) {
        return v4(identification, offset, more, payload, payload.length);
    }

    /** A fragment of which only the first {@code captured} bytes of payload were captured. */
    public FragmentTable.Result v4(int identification, int offset, boolean more, byte[] payload, int captured) {
        int header = writeV4(LINK_HEADER, identification, offset, more, payload.length);
        MemorySegment.copy(MemorySegment.ofArray(payload), 0, frame, LINK_HEADER + header, captured);
        // link padding behind it, unless the capture cut it
        return add(header + captured + (captured < payload.length ? 0 : 6));
    }

    public FragmentTable.Result v6(int identification, int offset, boolean more, byte[] payload) {
        return v6(identification, offset, more, payload, payload.length);
    }

    public FragmentTable.Result v6(int identification, int offset, boolean more, byte[] payload, int captured) {
        int header = writeV6(LINK_HEADER, identification, offset, more, payload.length);
        MemorySegment.copy(MemorySegment.ofArray(payload), 0, frame, LINK_HEADER + header, captured);
        return add(header + captured);
    }

    public FragmentTable.Result fragment(int version, int identification, int offset, boolean more, byte[] payload) {
        return version == 4 ? v4(identification, offset, more, payload) : v6(identification, offset, more, payload);
    }

    /** Writes an IPv4 header; returns its length. */
    public int writeV4(long at, int identification, int offset, boolean more, int payloadLength) {
        int header = 20 + options;
        frame.asSlice(at, header).fill((byte) 1);
        NetworkOrder.putU8(frame, at, 0x40 | header / 4);
        NetworkOrder.putU8(frame, at + 1, 0);
        NetworkOrder.putU16(frame, at + 2, header + payloadLength);
        NetworkOrder.putU16(frame, at + 4, identification);
        NetworkOrder.putU16(frame, at + 6, (more ? 0x2000 : 0) | offset / 8);
        NetworkOrder.putU8(frame, at + 8, 64);
        NetworkOrder.putU8(frame, at + 9, protocol);
        NetworkOrder.putU16(frame, at + 10, 0xbeef);
        NetworkOrder.putU32(frame, at + 12, source & 0xffff_ffffL);
        NetworkOrder.putU32(frame, at + 16, 0x0a000002);
        return header;
    }

    /** Writes an IPv6 header with a fragment header; returns the length of all headers. */
    public int writeV6(long at, int identification, int offset, boolean more, int payloadLength) {
        frame.asSlice(at, 48 + hopByHop).fill((byte) 0);
        NetworkOrder.putU8(frame, at, 0x60);
        NetworkOrder.putU16(frame, at + 4, hopByHop + 8 + payloadLength);
        NetworkOrder.putU8(frame, at + 6, hopByHop > 0 ? 0 : 44);
        NetworkOrder.putU8(frame, at + 7, 64);
        NetworkOrder.putBits64(frame, at + 8, 0x2001_0db8_0000_0000L);
        NetworkOrder.putU32(frame, at + 20, source & 0xffff_ffffL);
        NetworkOrder.putBits64(frame, at + 24, 0x2001_0db8_0000_0000L);
        NetworkOrder.putU32(frame, at + 36, 2);
        long fragment = at + 40 + hopByHop;
        if (hopByHop > 0) {
            NetworkOrder.putU8(frame, at + 40, 44);
            NetworkOrder.putU8(frame, at + 41, hopByHop / 8 - 1);
        }
        NetworkOrder.putU8(frame, fragment, protocol);
        NetworkOrder.putU16(frame, fragment + 2, offset | (more ? 1 : 0));
        NetworkOrder.putU32(frame, fragment + 4, identification & 0xffff_ffffL);
        return 48 + hopByHop;
    }

    /** Gives what was written behind the link header to the table, then spoils it. */
    public FragmentTable.Result add(int length) {
        FragmentTable.Result result = table.add(frame, LINK_HEADER, length, nowNs, ++frameNumber, scope);
        nowNs += MS;
        if (isStaying) {
            frame = Arena.ofAuto().allocate(1 << 14);
        } else if (!table.datagram().equals(frame)) {
            frame.asSlice(0, LINK_HEADER + length).fill((byte) '#');
        }
        return result;
    }

    /** The completed packet from its IP header on. */
    byte[] datagram() {
        return table.datagram()
                .asSlice(table.datagramOffset(), table.datagramLength())
                .toArray(ValueLayout.JAVA_BYTE);
    }

    /** The payload of the completed packet, as its IP header tells it. */
    public byte[] datagramPayload(int headerLength) {
        byte[] datagram = datagram();
        byte[] payload = new byte[datagram.length - headerLength];
        System.arraycopy(datagram, headerLength, payload, 0, payload.length);
        return payload;
    }

    public int u16(int at) {
        return NetworkOrder.u16(table.datagram(), table.datagramOffset() + at);
    }

    public int u8(int at) {
        return NetworkOrder.u8(table.datagram(), table.datagramOffset() + at);
    }

    public long count(FragmentCounter counter) {
        return table.count(counter);
    }

    @Override
    public void close() {
        table.close();
    }
}
