package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import java.util.Arrays;
import java.util.List;

/**
 * A TCP connection (RFC 9293) as a tap sees it. It keeps both sequence numbers, so every byte that is sent has its right
 * place, and knows when a reader of the capture can have a byte: when it and all before it were captured.
 *
 * <p>Single-threaded. The caller gives times that do not go back.
 */
public final class SentConnection {
    /** A retransmission timeout, with a little more than the minimum of Linux. */
    private static final long RETRANSMISSION_NS = 210_000_000;

    private static final long SEGMENT_GAP_NS = 150_000;
    private static final byte[] NOTHING = {};

    private final Tap tap;
    private final Endpoint client;
    private final Endpoint server;
    private final boolean clientIsForward;
    /** Next sequence number of client and server. */
    private final long[] next = new long[2];
    /** When all that was sent so far is there for a reader. */
    private final long[] readyNs = {Long.MIN_VALUE, Long.MIN_VALUE};

    /** @param clientIsForward whether the client is on the caller's side */
    public SentConnection(Tap tap, Endpoint client, Endpoint server, boolean clientIsForward) {
        this.tap = tap;
        this.client = client;
        this.server = server;
        this.clientIsForward = clientIsForward;
    }

    /** Where the sequence numbers of both ends start: that of the SYN, or of the first byte in mid-stream. */
    public SentConnection startingAt(long clientSequence, long serverSequence) {
        next[0] = clientSequence & 0xffff_ffffL;
        next[1] = serverSequence & 0xffff_ffffL;
        return this;
    }

    /** The handshake; without it the capture begins in mid-stream. Returns the time after it. */
    public long open(long timeNs) {
        segment(timeNs, true, Transports.SYN, next[0], NOTHING);
        advance(0, 1);
        segment(timeNs + 200_000, false, Transports.SYN | Transports.ACK, next[1], NOTHING);
        advance(1, 1);
        segment(timeNs + 400_000, true, Transports.ACK, next[0], NOTHING);
        return timeNs + 600_000;
    }

    /**
     * Sends bytes; the other end acknowledges them. Returns the time of the segment with which a reader has all of them,
     * -1 if some are never captured.
     */
    public long send(long timeNs, boolean fromClient, byte[] data, Segmentation how) {
        int side = fromClient ? 0 : 1;
        byte[][] pieces = cut(data, how.cuts());
        long[] times = times(timeNs, pieces.length, how.fate());
        long last = timeNs;
        long sequence = next[side];
        for (int i = 0; i < pieces.length; i++) {
            if (times[i] >= 0) {
                int flags = Transports.ACK | (i == pieces.length - 1 ? Transports.PSH : 0);
                last = Math.max(last, segment(times[i], fromClient, flags, sequence, pieces[i]));
            }
            sequence = sequence + pieces[i].length & 0xffff_ffffL;
        }
        if (how.fate() == Segmentation.Fate.RETRANSMITTED) {
            segment(timeNs + RETRANSMISSION_NS, fromClient, Transports.ACK | Transports.PSH, next[side], data);
        }
        advance(side, data.length);
        segment(last + 80_000, !fromClient, Transports.ACK, next[1 - side], NOTHING);
        if (how.fate() == Segmentation.Fate.HOLE) {
            return -1;
        }
        readyNs[side] = Math.max(readyNs[side], last);
        return readyNs[side];
    }

    /** Both ends say FIN, {@code clientFirst} or the server. */
    public void close(long timeNs, boolean clientFirst) {
        segment(timeNs, clientFirst, Transports.FIN | Transports.ACK, next[clientFirst ? 0 : 1], NOTHING);
        advance(clientFirst ? 0 : 1, 1);
        segment(timeNs + 300_000, !clientFirst, Transports.FIN | Transports.ACK, next[clientFirst ? 1 : 0], NOTHING);
        advance(clientFirst ? 1 : 0, 1);
        segment(timeNs + 500_000, clientFirst, Transports.ACK, next[clientFirst ? 0 : 1], NOTHING);
    }

    public void reset(long timeNs, boolean fromClient) {
        segment(timeNs, fromClient, Transports.RST | Transports.ACK, next[fromClient ? 0 : 1], NOTHING);
    }

    private static byte[][] cut(byte[] data, List<Integer> cuts) {
        byte[][] pieces = new byte[cuts.size() + 1][];
        int from = 0;
        for (int i = 0; i <= cuts.size(); i++) {
            int to = i < cuts.size() ? cuts.get(i) : data.length;
            pieces[i] = Arrays.copyOfRange(data, from, to);
            from = to;
        }
        return pieces;
    }

    /** When each piece is captured; -1 for never. */
    private static long[] times(long timeNs, int count, Segmentation.Fate fate) {
        long[] times = new long[count];
        Arrays.setAll(times, i -> timeNs + i * SEGMENT_GAP_NS);
        switch (fate) {
            case IN_ORDER, RETRANSMITTED -> {}
            case REORDERED -> {
                if (count > 1) {
                    times[0] = timeNs + SEGMENT_GAP_NS;
                    times[1] = timeNs;
                }
            }
            case LATE -> times[0] = timeNs + RETRANSMISSION_NS;
            case HOLE -> times[0] = -1;
        }
        return times;
    }

    /** Times are rounded to what the capture can say. */
    long quantize(long timeNs) {
        return tap.quantize(timeNs);
    }

    private void advance(int side, int bytes) {
        next[side] = next[side] + bytes & 0xffff_ffffL;
    }

    private long segment(long timeNs, boolean fromClient, int flags, long sequence, byte[] data) {
        long acknowledgment = (flags & Transports.ACK) == 0 ? 0 : next[fromClient ? 1 : 0];
        return tap.tcp(
                timeNs,
                fromClient == clientIsForward,
                fromClient ? client : server,
                fromClient ? server : client,
                sequence,
                acknowledgment,
                flags,
                data);
    }
}
