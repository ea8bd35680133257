package io.offhook.dpdk;

import io.offhook.filter.PacketFilter;
import io.offhook.live.BatchLoans;
import io.offhook.live.VlanReinsertion;
import io.offhook.live.WallClock;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;

/** The packets of a receive queue, burst by burst, as frames of batches. */
final class MbufFrames {
    private static final int BURST = 64;
    /** Packets that are looked at for a batch, however few of them the filter wants: then its caller looks at the clock. */
    private static final int LEAST_LOOKED_AT = 4096;
    /** Of what sources may tell. */
    private static final long LATEST_NS = 1L << 62;

    private final Mempool pool;
    private final RxQueue queue;
    private final PacketFilter filter;
    private final int snapLength;
    /** Nanoseconds of a unit of the driver's times, which begin in 1970; 0 where they tell another time. */
    private final long timestampUnitNs;

    private final WallClock clock = new WallClock();
    private final MbufView view = new MbufView();
    private final MbufArray burst = new MbufArray(BURST);
    /** Not wanted, or copied. */
    private final MbufArray done = new MbufArray(BURST);

    /** The next of the burst at hand. */
    private int next;

    private boolean isDrained;
    private long burstNs;
    private long filtered;
    private long copied;

    MbufFrames(Mempool pool, RxQueue queue, PacketFilter filter, int snapLength, long timestampUnitNs) {
        this.pool = pool;
        this.queue = queue;
        this.filter = filter;
        this.snapLength = snapLength;
        this.timestampUnitNs = timestampUnitNs;
    }

    /**
     * Adds what there is, until the batch or its memory for copies is full, or so many packets were looked at as fill it, 4,096 at least:
     * a queue that is never empty must not keep the caller, where the filter wants nothing of it.
     */
    void addTo(FrameBatch batch, BatchLoans.Loan loan) {
        int segment = batch.addSegment(pool.memory());
        int left = Math.max(batch.capacity(), LEAST_LOOKED_AT);
        isDrained = false;
        while (!batch.isFull() && left > 0) {
            if (next == burst.count()) {
                if (!receive()) {
                    isDrained = true;
                    return;
                }
                left -= burst.count();
            }
            while (next < burst.count() && !batch.isFull()) {
                if (!add(batch, loan, segment, burst.get(next))) {
                    return;
                }
                next++;
            }
        }
    }

    /** Whether a packet is at hand, or one has come now. */
    boolean hasFrames() {
        return next < burst.count() || receive();
    }

    /** Whether nothing was left, when it added last. */
    boolean isDrained() {
        return isDrained;
    }

    private boolean receive() {
        // all of the last burst is with batches, or done
        done.free();
        burst.clear();
        next = 0;
        if (queue.receive(burst) == 0) {
            return false;
        }
        burstNs = clock.nowNs();
        return true;
    }

    /** @return false where there is no room for a copy: then it is for the next batch */
    private boolean add(FrameBatch batch, BatchLoans.Loan loan, int segment, long mbuf) {
        MbufView packet = view.wrap(mbuf);
        if (packet.isVlanStripped()) {
            putTagBack(packet);
        }
        int length = packet.dataLength();
        long wireLength = packet.packetLength();
        MemorySegment memory = pool.memory();
        long offset = packet.dataAddress() - memory.address();
        boolean isWhole = wireLength == length && pool.contains(packet.dataAddress(), length);
        if (!isWhole) {
            // the filter may ask for more than is wanted of the packet
            length = (int) Math.min(wireLength, DpdkSourceOptions.MAX_SNAP_LENGTH);
            if (!loan.hasRoom(length)) {
                return false;
            }
            memory = loan.copies();
            offset = loan.end();
            length = packet.copyTo(memory, offset, length);
            copied++;
        }
        int wire = (int) Math.min(wireLength, Integer.MAX_VALUE);
        if (filter.match(memory, offset, length, wire) == 0) {
            filtered++;
            done.add(mbuf);
            return true;
        }
        long ns = timestampUnitNs > 0 && packet.hasTimestamp()
                ? Math.clamp(packet.timestamp(), 0, LATEST_NS / timestampUnitNs) * timestampUnitNs
                : burstNs;
        int index = isWhole ? segment : batch.addSegment(memory);
        batch.add(index, offset, Math.min(length, snapLength), wire, ns, 0, LinkType.ETHERNET);
        if (isWhole) {
            loan.add(mbuf);
        } else {
            loan.keep(Math.min(length, snapLength));
            done.add(mbuf);
        }
        return true;
    }

    /** The device took the tag out; the room for it is what the driver left before the packet. */
    private static void putTagBack(MbufView packet) {
        if (!packet.isDirect()
                || packet.headroom() < VlanReinsertion.TAG_BYTES
                || packet.dataLength() < VlanReinsertion.ADDRESSES_BYTES) {
            return;
        }
        int tag = packet.vlanTag();
        long start = packet.prepend(VlanReinsertion.TAG_BYTES);
        VlanReinsertion.putBack(MbufView.MEMORY, start + VlanReinsertion.TAG_BYTES, tag);
        packet.clearVlanStripped();
    }

    /** Packets that the filter did not want. */
    long filtered() {
        return filtered;
    }

    /** Packets that were copied, for they lay in several mbufs, or in memory of the driver's. */
    long copied() {
        return copied;
    }

    /** Time of day, nanoseconds since the epoch. */
    long nowNs() {
        return clock.nowNs();
    }

    /** Frees what no batch has. */
    void close() {
        done.free();
        for (int i = next; i < burst.count(); i++) {
            done.add(burst.get(i));
        }
        done.free();
        burst.clear();
        next = 0;
    }
}
