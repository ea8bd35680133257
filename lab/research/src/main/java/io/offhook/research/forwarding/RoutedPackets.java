package io.offhook.research.forwarding;

import io.offhook.dpdk.MbufArray;
import io.offhook.dpdk.MbufView;
import io.offhook.dpdk.RxQueue;
import io.offhook.dpdk.TxQueue;

/** L3: finds the next hop by longest prefix, decrements the TTL, updates the checksum, rewrites the addresses. */
final class RoutedPackets extends JavaForwarding {
    private static final int ETHERNET_BYTES = 14;
    private static final int HEADERS_BYTES = 34;
    /** EtherType, version and header length, in memory order. */
    private static final int TYPE = 0x45_0008;

    private static final int TYPE_MASK = 0xff_ffff;
    private static final int FIRST_TTL = 64;
    /** The last 4 bytes of the own address, in memory order. */
    private static final int OWN_TAIL = 0x0100_0000;

    private static final int REFUSED = 1;
    private static final int EXPIRED = 2;

    private final Routes routes = new Routes();
    private final MbufArray dropped = new MbufArray(BURST);
    /** For each next hop: its address, and the first 2 bytes of the own one, in memory order. */
    private final long[] head = new long[HOPS];

    RoutedPackets(int processor) {
        super(ForwardingKind.L3_RING, processor);
        for (int hop = 0; hop < HOPS; hop++) {
            head[hop] = 0x0002_0001_0000_0002L | (long) hop << 40;
        }
        PacketsGoingRound packets = new PacketsGoingRound();
        packets.addRoutes(routes);
        packets.fill(this);
    }

    @Override
    int forward(RxQueue from, TxQueue to) {
        int count = from.receive(burst);
        MbufView view = new MbufView();
        // rare cases are only noted, a bit per packet, and handled separately: after a call within the loop, the
        // compiler would load everything again for each packet
        int refused = 0;
        int expired = 0;
        for (int i = 0; i < count; i++) {
            int fate = route(view.wrap(burst.get(i)));
            refused |= (fate & REFUSED) << i;
            expired |= fate >>> 1 << i;
        }
        for (; expired != 0; expired &= expired - 1) {
            beginAnew(
                    view.wrap(burst.get(Integer.numberOfTrailingZeros(expired))).dataAddress() + ETHERNET_BYTES);
        }
        if (refused != 0) {
            drop(refused);
        }
        send(to);
        return count;
    }

    /** @return whether it cannot be forwarded, or has circulated long enough; 0 for neither */
    private int route(MbufView packet) {
        long frame = packet.dataAddress();
        if (packet.dataLength() < HEADERS_BYTES || ((int) HALF.get(MEMORY, frame + 12) & TYPE_MASK) != TYPE) {
            return REFUSED;
        }
        int hop = routes.find((int) U32.get(MEMORY, frame + ETHERNET_BYTES + 16));
        if (hop < 0) {
            return REFUSED;
        }
        // time to live, protocol, checksum, in memory order
        int word = (int) HALF.get(MEMORY, frame + ETHERNET_BYTES + 8);
        boolean isExpired = (word & 0xff) <= 1;
        if (!isExpired) {
            // RFC 1624, for a decremented first byte: the sum is the same in either byte order
            int sum = (word >>> 16) + 1;
            HALF.set(MEMORY, frame + ETHERNET_BYTES + 8, (word & 0xffff) - 1 | sum + (sum >>> 16) << 16);
        }
        WORD.set(MEMORY, frame, head[hop]);
        HALF.set(MEMORY, frame + 8, OWN_TAIL);
        return isExpired ? EXPIRED : 0;
    }

    private void drop(int refused) {
        int kept = 0;
        for (int i = 0; i < burst.count(); i++) {
            if ((refused >>> i & 1) != 0) {
                dropped.add(burst.get(i));
            } else {
                burst.set(kept++, burst.get(i));
            }
        }
        burst.truncate(kept);
        lost += dropped.count();
        dropped.free();
    }

    /** The packet has circulated long enough. */
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
