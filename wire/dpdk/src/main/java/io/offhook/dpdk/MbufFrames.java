package io.offhook.dpdk;

import io.offhook.filter.PacketFilter;
import io.offhook.live.BatchLoans;
import io.offhook.live.VlanReinsertion;
import io.offhook.live.WallClock;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;

/** Turns the packets of a receive queue, burst by burst, into frames of batches. */
final class MbufFrames {
    private static final int BURST = 64;
    /**
     * The least number of packets examined for a batch, however few pass the filter, before the caller checks the time.
     */
    private static final int LEAST_LOOKED_AT = 4096;
    /** The latest time that sources may deliver. */
    private static final long LATEST_NS = 1L << 62;

    private final Mempool pool;
    private final RxQueue queue;
    private final PacketFilter filter;
    private final int snapLength;
    /** Nanoseconds per unit of the driver's timestamps, which count from 1970; 0 if they have another origin. */
    private final long timestampUnitNs;

    private final WallClock clock = new WallClock();
    private final MbufView view = new MbufView();
    private final MbufArray burst = new MbufArray(BURST);
    /** Packets that were rejected or copied. */
    private final MbufArray done = new MbufArray(BURST);

    /** The index of the next packet of the current burst. */
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
     * Adds the packets that are present, until the batch or its memory for copies is full, or the batch's capacity in
     * packets, but at least 4,096, was examined: a queue that is never empty must not keep the caller busy when the
     * filter rejects everything.
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

    /** Returns whether a packet is at hand or has arrived. */
    boolean hasFrames() {
        return next < burst.count() || receive();
    }

    /** Returns whether nothing was left after the last call of {@link #addTo}. */
    boolean isDrained() {
        return isDrained;
    }

    private boolean receive() {
        // all of the last burst is lent to batches or done
        done.free();
        burst.clear();
        next = 0;
        if (queue.receive(burst) == 0) {
            return false;
        }
        burstNs = clock.nowNs();
        return true;
    }

    /** @return false if there is no room for a copy: the packet is then for the next batch */
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
            // the filter may look beyond the snap length
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

    /** Puts the tag that the device removed back, into the room that the driver left before the packet. */
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

    /** Returns the packets that the filter rejected. */
    long filtered() {
        return filtered;
    }

    /** Returns the packets that were copied because they spanned several mbufs or were in the driver's own memory. */
    long copied() {
        return copied;
    }

    /** Returns the time in nanoseconds since the epoch. */
    long nowNs() {
        return clock.nowNs();
    }

    /** Frees the mbufs that no batch has borrowed. */
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
