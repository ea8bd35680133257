package io.offhook.flow.fragment;

import io.offhook.flow.Holding;
import io.offhook.flow.state.AgeList;
import io.offhook.flow.state.BlockPool;
import io.offhook.flow.state.Counts;
import io.offhook.flow.state.KeyTable;
import io.offhook.flow.state.PacketTime;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The datagrams that wait for fragments: found by key, timed out by age, held in bounded memory. If a limit is reached,
 * the datagram whose first fragment is the oldest is evicted.
 */
final class DatagramTable {
    private static final int NONE = KeyTable.NONE;

    private final FragmentLimits limits;
    private final Counts<FragmentCounter> counts;
    private final BlockPool pool;
    private final KeyTable table;
    private final AgeList ages = new AgeList();
    private final @Nullable DatagramBeginningHandler handler;
    /**
     * Separate from the writer of whole datagrams, whose buffer may hold the very fragment that evicts another
     * datagram.
     */
    private final DatagramWriter beginnings;

    private @Nullable FragmentTrace trace;
    private Datagram[] datagrams = new Datagram[0];

    DatagramTable(
            FragmentLimits limits,
            Holding holding,
            Counts<FragmentCounter> counts,
            @Nullable DatagramBeginningHandler handler) {
        this.limits = limits;
        this.handler = handler;
        this.counts = counts;
        pool = new BlockPool(limits.bytes(), holding);
        beginnings = new DatagramWriter(pool);
        table = new KeyTable(limits.datagrams());
    }

    void trace(FragmentTrace trace) {
        this.trace = trace;
    }

    BlockPool pool() {
        return pool;
    }

    int size() {
        return table.size();
    }

    /** Returns the datagram that waits for a fragment; null if none does. */
    @Nullable
    Datagram find(FragmentView fragment, int scope) {
        long a = fragment.sourceHigh();
        long b = fragment.sourceLow();
        long c = fragment.destinationHigh();
        long d = fragment.destinationLow();
        long e = (long) fragment.identification() << 32 | scope & 0xffff_ffffL;
        int number = table.find(table.hash(a, b, c, d, e), a, b, c, d, e);
        return number == NONE ? null : datagrams[number];
    }

    /** Returns the datagram of a fragment; starts a new one if there is none or it has timed out. */
    Datagram datagramOf(FragmentView fragment, int scope, long timestampNs, long frameNumber) {
        long a = fragment.sourceHigh();
        long b = fragment.sourceLow();
        long c = fragment.destinationHigh();
        long d = fragment.destinationLow();
        long e = (long) fragment.identification() << 32 | scope & 0xffff_ffffL;
        int hash = table.hash(a, b, c, d, e);
        int number = table.find(hash, a, b, c, d, e);
        if (number != NONE) {
            Datagram datagram = datagrams[number];
            if (!PacketTime.isApart(timestampNs, datagram.firstTimestampNs, limits.timeoutNs())) {
                return datagram;
            }
            giveUp(datagram, FragmentCounter.TIMED_OUT);
        } else if (table.isFull()) {
            giveUp(datagrams[ages.oldest()], FragmentCounter.EVICTED);
        }
        number = table.add(hash, a, b, c, d, e);
        makeDatagrams(number + 1);
        Datagram datagram = datagrams[number];
        datagram.begin(fragment.version(), timestampNs, frameNumber);
        ages.addYoungest(number);
        return datagram;
    }

    /**
     * Holds the payload of a fragment, and its header if it is the first.
     *
     * @return false if a limit is reached and the datagram must be given up
     */
    boolean keep(
            Datagram into,
            FragmentView fragment,
            MemorySegment segment,
            long ipOffset,
            long timestampNs,
            long frameNumber) {
        int captured = fragment.payloadLength();
        int needed = pool.isReferencing() ? captured + fragment.headerLength() : captured;
        if (++into.fragments > limits.fragmentsPerDatagram() || !makeRoom(into, needed)) {
            return false;
        }
        if (fragment.fragmentOffset() == 0 && into.headerBlock == BlockPool.NONE) {
            into.headerLength = fragment.headerLength();
            into.nextHeaderField = fragment.nextHeaderField();
            into.nextHeader = fragment.nextHeader();
            into.headerBlock = pool.keep(segment, ipOffset, into.headerLength);
            pool.describe(into.headerBlock, 0, into.headerLength, false, timestampNs, frameNumber);
        }
        int start = fragment.fragmentOffset();
        long payload = ipOffset + fragment.payloadStart();
        int missing = fragment.payloadWireLength() - captured;
        return into.payload.insert(start, segment, payload, captured, timestampNs, frameNumber) == 0
                && (missing == 0 || into.payload.insertAbsent(start + captured, missing, timestampNs, frameNumber));
    }

    /**
     * Gives up datagrams that have been incomplete for twice the timeout. A datagram's own fragments find it timed out
     * after once the timeout, so its fate does not depend on the fragments of others.
     */
    void expire(long timestampNs) {
        long limitNs = PacketTime.twice(limits.timeoutNs());
        int oldest = ages.oldest();
        while (oldest != NONE && PacketTime.isApart(timestampNs, datagrams[oldest].firstTimestampNs, limitNs)) {
            giveUp(datagrams[oldest], FragmentCounter.TIMED_OUT);
            oldest = ages.oldest();
        }
    }

    void giveUpAll(FragmentCounter cause) {
        while (ages.oldest() != NONE) {
            giveUp(datagrams[ages.oldest()], cause);
        }
    }

    void giveUp(Datagram datagram, FragmentCounter cause) {
        // a discarded datagram was counted when it was discarded
        if (!datagram.discarded) {
            if (cause != FragmentCounter.DISCARDED) {
                reportBeginning(datagram);
            }
            counts.addAt(datagram.firstFrameNumber, datagram.firstTimestampNs, cause);
        }
        remove(datagram);
    }

    /** Reports the beginnings of the datagrams that have waited longer than {@code ageNs}; of all if it is negative. */
    void reportBeginnings(long timestampNs, long ageNs) {
        for (int number = ages.oldest(); number != NONE; number = ages.younger(number)) {
            Datagram datagram = datagrams[number];
            if (ageNs < 0 || PacketTime.isApart(timestampNs, datagram.firstTimestampNs, ageNs)) {
                reportBeginning(datagram);
            }
        }
    }

    private void reportBeginning(Datagram datagram) {
        if (handler == null || datagram.beginningAsked || datagram.discarded || !datagram.hasBeginning()) {
            return;
        }
        datagram.beginningAsked = true;
        int length = beginnings.writeBeginning(datagram);
        if (trace != null) {
            trace.beginning(datagram);
        }
        datagram.beginningReported = handler.beginning(
                beginnings.buffer(),
                0,
                length,
                DatagramWriter.beginningLength(datagram),
                datagram.firstTimestampNs,
                datagram.firstFrameNumber);
    }

    /** Frees what is held of a datagram, and remembers the datagram until its timeout. */
    void discard(Datagram datagram) {
        counts.addAt(datagram.firstFrameNumber, datagram.firstTimestampNs, FragmentCounter.DISCARDED);
        empty(datagram);
        datagram.discarded = true;
    }

    void remove(Datagram datagram) {
        empty(datagram);
        ages.remove(datagram.number);
        table.remove(datagram.number);
    }

    /** Makes room for the bytes and two more pieces: the header and the absent range. */
    private boolean makeRoom(Datagram datagram, int bytes) {
        while (!pool.hasRoomFor(bytes, 2)) {
            int oldest = ages.oldest() == datagram.number ? ages.younger(datagram.number) : ages.oldest();
            if (oldest == NONE) {
                return false;
            }
            giveUp(datagrams[oldest], FragmentCounter.EVICTED);
        }
        return true;
    }

    private void empty(Datagram datagram) {
        datagram.payload.clear();
        if (datagram.headerBlock != BlockPool.NONE) {
            pool.release(datagram.headerBlock);
            datagram.headerBlock = BlockPool.NONE;
        }
    }

    private void makeDatagrams(int count) {
        int known = datagrams.length;
        if (count > known) {
            datagrams = Arrays.copyOf(datagrams, Math.max(16, known * 2));
            for (int i = known; i < datagrams.length; i++) {
                datagrams[i] = new Datagram(i, pool);
            }
        }
    }
}
