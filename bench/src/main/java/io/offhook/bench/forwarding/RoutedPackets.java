package io.offhook.bench.forwarding;

import io.offhook.dpdk.MbufArray;
import io.offhook.dpdk.MbufView;
import io.offhook.dpdk.RxQueue;
import io.offhook.dpdk.TxQueue;

/** L3: the next hop by longest prefix, time to live one less, checksum updated, addresses rewritten. */
final class RoutedPackets extends JavaForwarding {
    private static final int ETHERNET_BYTES = 14;
    private static final int HEADERS_BYTES = 34;
    /** EtherType, version and header length, as they lie there. */
    private static final int TYPE = 0x45_0008;

    private static final int TYPE_MASK = 0xff_ffff;
    private static final int FIRST_TTL = 64;
    /** The last 4 bytes of our address. */
    private static final int OWN_TAIL = 1;

    private final Routes routes = new Routes();
    private final MbufArray dropped = new MbufArray(BURST);
    private final MbufArray expired = new MbufArray(BURST);
    /** Of a next hop: its address, and the first 2 bytes of ours. */
    private final long[] head = new long[HOPS];

    RoutedPackets(int processor) {
        super(ForwardingKind.L3_RING, processor);
        for (int hop = 0; hop < HOPS; hop++) {
            head[hop] = 0x0200_0000_0100_0200L | (long) hop << 16;
        }
        PacketsGoingRound packets = new PacketsGoingRound();
        packets.addRoutes(routes);
        packets.fill(this);
    }

    @Override
    int forward(RxQueue from, TxQueue to) {
        int count = from.receive(burst);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            long mbuf = burst.get(i);
            if (route(view.wrap(mbuf))) {
                if (kept < i) {
                    burst.set(kept, mbuf);
                }
                kept++;
            } else {
                dropped.add(mbuf);
            }
        }
        burst.truncate(kept);
        // what is rare is done apart: a call within the loop would have all that the loop reads read again for each
        // packet
        for (int i = 0; i < expired.count(); i++) {
            beginAnew(view.wrap(expired.get(i)).dataAddress() + ETHERNET_BYTES);
        }
        expired.clear();
        if (!dropped.isEmpty()) {
            lost += dropped.count();
            dropped.free();
        }
        send(to);
        return count;
    }

    /** @return whether it can go on */
    private boolean route(MbufView packet) {
        long frame = packet.dataAddress();
        if (packet.dataLength() < HEADERS_BYTES || ((int) HALF.get(MEMORY, frame + 12) & TYPE_MASK) != TYPE) {
            return false;
        }
        int hop = routes.find((int) U32.get(MEMORY, frame + ETHERNET_BYTES + 16));
        if (hop < 0) {
            return false;
        }
        // time to live, protocol, checksum
        int word = (int) U32.get(MEMORY, frame + ETHERNET_BYTES + 8);
        if (word >>> 24 <= 1) {
            expired.add(packet.address());
        } else {
            // RFC 1624, of a high byte that is one less
            int sum = (word & 0xffff) + 0x100;
            int updated = (word & 0xffff_0000) - 0x0100_0000 | sum + (sum >>> 16) & 0xffff;
            U32.set(MEMORY, frame + ETHERNET_BYTES + 8, updated);
        }
        U64.set(MEMORY, frame, head[hop]);
        U32.set(MEMORY, frame + 8, OWN_TAIL);
        return true;
    }

    /** The packet has gone round long enough. */
    private static void beginAnew(long header) {
        U8.set(MEMORY, header + 8, (byte) FIRST_TTL);
        U16.set(MEMORY, header + 10, (short) 0);
        long sum = 0;
        for (int i = 0; i < HEADERS_BYTES - ETHERNET_BYTES; i += Integer.BYTES) {
            sum += (int) U32.get(MEMORY, header + i) & 0xffff_ffffL;
        }
        sum = (sum & 0xffff) + (sum >>> 16 & 0xffff) + (sum >>> 32);
        sum = (sum & 0xffff) + (sum >>> 16);
        sum = (sum & 0xffff) + (sum >>> 16);
        U16.set(MEMORY, header + 10, (short) ~sum);
    }
}
