package io.offhook.proxy.statistics;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Messages of each neighbour, by method and status, so that one sees between which two messages vanish. At most as many
 * neighbours as its capacity; when it is full, one that was silent for ten minutes makes room, and the messages of others
 * without a row are counted in a common one. The thread of its lane writes, any thread reads; nothing is allocated for a
 * message of a neighbour and kind that it knows.
 *
 * <p>A neighbour is an address and a port. For connections that a neighbour opened, whose port means nothing, use port 0.
 */
public final class NeighbourTable {
    /** The row of all that have none of their own. */
    public static final int OTHERS = 0;

    /** The neighbours whose response times are kept. */
    static final int MOST_TIMED = 64;

    private static final long SILENT_NS = 600_000_000_000L;
    private static final long BETWEEN_EVICTIONS_NS = 10_000_000L;
    private static final int LOOKED_AT = 8;
    private static final Endpoint NOBODY = new Endpoint(0, 0, 0);

    private final AtomicReferenceArray<@Nullable Row> rows;
    private final int[] index;
    private int size = 1;
    private int timed;
    private int hand = 1;
    private long evictedNs = Long.MIN_VALUE;
    private final CounterArray evicted = new CounterArray(1);

    /** What is counted of one neighbour. */
    static final class Row {
        private final long high;
        private final long low;
        private final int port;
        private final MessageTable messages = new MessageTable();
        private volatile @Nullable Responses responses;
        private long lastNs;

        Row(Endpoint neighbour) {
            high = neighbour.high();
            low = neighbour.low();
            port = neighbour.port();
        }

        boolean is(long anHigh, long aLow, int aPort) {
            return low == aLow && port == aPort && high == anHigh;
        }

        Endpoint neighbour() {
            return new Endpoint(high, low, port);
        }

        MessageTable messages() {
            return messages;
        }

        /** The times of its responses; null if it never answered an INVITE, or others were before it. */
        @Nullable
        Responses responses() {
            return responses;
        }
    }

    /** How long a next hop takes to answer an INVITE. */
    record Responses(SingleWriterRecorder provisional, SingleWriterRecorder answer) {}

    /**
     * Creates an empty table.
     *
     * @param capacity the most neighbours, 16 to 65,536
     */
    public NeighbourTable(int capacity) {
        if (capacity < 16 || capacity > 65_536) {
            throw new IllegalArgumentException("a capacity of " + capacity + " is not within 16 and 65536");
        }
        rows = new AtomicReferenceArray<>(capacity + 1);
        rows.set(OTHERS, new Row(NOBODY));
        index = new int[Integer.highestOneBit(capacity) * 4];
    }

    /**
     * The row of a neighbour, which is entered if it is new. A row may belong to another neighbour ten minutes later: ask
     * again for each message.
     *
     * @param high the upper 64 bits of its address, as in {@link Endpoint}
     * @param low the lower 64 bits
     * @param port its port, or 0
     * @param nowNs the time, from any fixed point
     */
    public int row(long high, long low, int port, long nowNs) {
        int mask = index.length - 1;
        int place = hash(high, low, port) & mask;
        int row;
        while ((row = index[place]) != 0) {
            Row known = at(row);
            if (known.is(high, low, port)) {
                known.lastNs = nowNs;
                return row;
            }
            place = place + 1 & mask;
        }
        return enter(new Endpoint(high, low, port), nowNs);
    }

    private int enter(Endpoint neighbour, long nowNs) {
        int row;
        if (size < rows.length()) {
            row = size++;
        } else {
            row = silent(nowNs);
            if (row == OTHERS) {
                return OTHERS;
            }
            evicted.add(0, 1);
        }
        Row before = rows.getPlain(row);
        if (before != null && before.responses != null) {
            timed--;
        }
        Row entered = new Row(neighbour);
        entered.lastNs = nowNs;
        rows.setRelease(row, entered);
        if (before == null) {
            link(row);
        } else {
            rebuild();
        }
        return row;
    }

    /** One that was silent for long, among the next few; {@link #OTHERS} if there is none, or the last one is just gone. */
    private int silent(long nowNs) {
        if (evictedNs != Long.MIN_VALUE && nowNs - evictedNs < BETWEEN_EVICTIONS_NS) {
            return OTHERS;
        }
        for (int i = 0; i < LOOKED_AT; i++) {
            int row = hand;
            hand = hand + 1 == rows.length() ? 1 : hand + 1;
            if (nowNs - at(row).lastNs >= SILENT_NS) {
                evictedNs = nowNs;
                return row;
            }
        }
        return OTHERS;
    }

    private void rebuild() {
        Arrays.fill(index, 0);
        for (int row = 1; row < size; row++) {
            link(row);
        }
    }

    private void link(int row) {
        Row entered = at(row);
        int mask = index.length - 1;
        int place = hash(entered.high, entered.low, entered.port) & mask;
        while (index[place] != 0) {
            place = place + 1 & mask;
        }
        index[place] = row;
    }

    private Row at(int row) {
        Row found = rows.getPlain(row);
        if (found == null) {
            throw new IllegalStateException("row " + row + " of " + size + " is empty");
        }
        return found;
    }

    private static int hash(long high, long low, int port) {
        long mixed = (high * 0x9e3779b97f4a7c15L ^ low) * 0xbf58476d1ce4e5b9L + port;
        mixed = (mixed ^ mixed >>> 32) * 0x94d049bb133111ebL;
        return (int) (mixed >>> 32);
    }

    /**
     * Counts a message of a neighbour.
     *
     * @param status of a response, else 0
     */
    public void count(int row, MessageWay way, SipMethod method, int status) {
        at(row).messages.add(way, method, status);
    }

    /** Records how long a next hop took until its first provisional response beyond 100. */
    public void firstProvisional(int row, long ns) {
        Responses responses = responses(row);
        if (responses != null) {
            Delays.recordResponse(responses.provisional, ns);
        }
    }

    /** Records how long a next hop took until its final response. */
    public void finalResponse(int row, long ns) {
        Responses responses = responses(row);
        if (responses != null) {
            Delays.recordResponse(responses.answer, ns);
        }
    }

    private @Nullable Responses responses(int row) {
        Row known = at(row);
        Responses responses = known.responses;
        if (responses == null && row != OTHERS && timed < MOST_TIMED) {
            timed++;
            responses = new Responses(Delays.ofResponses(), Delays.ofResponses());
            known.responses = responses;
        }
        return responses;
    }

    /** The rows, that of others first; by any thread. */
    List<Row> rows() {
        List<Row> found = new ArrayList<>();
        for (int i = 0; i < rows.length(); i++) {
            Row row = rows.getAcquire(i);
            if (row == null) {
                break;
            }
            found.add(row);
        }
        return found;
    }

    /** The neighbours that made room for others. */
    long evicted() {
        return evicted.get(0);
    }
}
