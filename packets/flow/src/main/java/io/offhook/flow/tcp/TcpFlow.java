package io.offhook.flow.tcp;

import io.offhook.flow.state.SequenceNumbers;
import io.offhook.flow.table.Flow;
import io.offhook.packet.transport.TcpView;

/**
 * The TCP part of a {@link Flow}: the state of the connection, its round trips and the counts of its signs. Forward is
 * from the flow's source, reverse towards it. A live view, valid as the {@link Flow} is.
 */
public final class TcpFlow {
    /** A SYN on the ports of a connection that had no packet for this long starts a new one, in nanoseconds. */
    private static final long QUIET_NS = 1_000_000_000;

    private static final int SIGNS = TcpSign.values().length;

    private final TcpAnalysis analysis = new TcpAnalysis();
    private final int[] counts = new int[2 * SIGNS];
    private final Side forward = new Side();
    private final Side reverse = new Side();
    private boolean isReset;
    private boolean isEstablished;
    private long lastNs;

    private static final class Side {
        boolean isSynSeen;
        boolean isSynAcknowledged;
        int firstSequence;
        boolean isFinSeen;
        boolean isFinAcknowledged;
        int finSequence;
        int flags;
        long payloadBytes;
    }

    /** Creates the state of a flow without segments. */
    public TcpFlow() {}

    /** The state of the connection, as far as the packets show. */
    public TcpState state() {
        if (isReset) {
            return TcpState.RESET;
        }
        if (forward.isFinAcknowledged && reverse.isFinAcknowledged) {
            return TcpState.CLOSED;
        }
        if (forward.isFinSeen || reverse.isFinSeen) {
            return forward.isFinSeen && reverse.isFinSeen ? TcpState.CLOSING : TcpState.HALF_CLOSED;
        }
        if (isEstablished) {
            return TcpState.ESTABLISHED;
        }
        if (forward.isSynSeen && reverse.isSynSeen) {
            return TcpState.SYN_RECEIVED;
        }
        return forward.isSynSeen || reverse.isSynSeen ? TcpState.SYN_SENT : TcpState.MID_STREAM;
    }

    /** Whether the SYN, and the acknowledgment of the SYN that answers it, were captured. */
    public boolean isHandshakeSeen() {
        return handshakeRoundTripNs() > 0;
    }

    /**
     * The round trip of the handshake, from the SYN to the acknowledgment of the SYN that answers it, in nanoseconds.
     * It is the round trip between the two ends, wherever the capture was made. 0 if it was not seen. A retransmitted
     * SYN restarts the measurement.
     */
    public long handshakeRoundTripNs() {
        return analysis.handshakeRoundTripNs();
    }

    /** Round trips between the capture and the flow's destination, by acknowledgments. */
    public TcpRoundTrip roundTripToDestination() {
        return analysis.roundTrip(true);
    }

    /** Round trips between the capture and the flow's source, by acknowledgments. */
    public TcpRoundTrip roundTripToSource() {
        return analysis.roundTrip(false);
    }

    /** Round trips between the capture and the flow's destination, by timestamps. */
    public TcpRoundTrip timestampRoundTripToDestination() {
        return analysis.roundTripByTimestamps(true);
    }

    /** Round trips between the capture and the flow's source, by timestamps. */
    public TcpRoundTrip timestampRoundTripToSource() {
        return analysis.roundTripByTimestamps(false);
    }

    /** How often the sign occurred, in both directions. */
    public int count(TcpSign sign) {
        return count(sign, true) + count(sign, false);
    }

    /** How often the sign occurred in segments of one direction. */
    @SuppressWarnings("EnumOrdinal") // used as an array index only
    public int count(TcpSign sign, boolean isForward) {
        return counts[sign.ordinal() + (isForward ? 0 : SIGNS)];
    }

    /** All flags that segments of a direction had, as in {@link TcpView}. */
    public int flags(boolean isForward) {
        return (isForward ? forward : reverse).flags;
    }

    /** Bytes of payload sent in a direction, retransmissions included. */
    public long payloadBytes(boolean isForward) {
        return (isForward ? forward : reverse).payloadBytes;
    }

    /** Whether a SYN starts a new connection on the ports of this one. */
    public boolean isReusedBy(boolean isForward, int sequence, int flags, long timestampNs) {
        if ((flags & (TcpView.SYN | TcpView.ACK | TcpView.RST)) != TcpView.SYN) {
            return false;
        }
        Side here = isForward ? forward : reverse;
        if (here.isSynSeen && here.firstSequence == sequence) {
            return false;
        }
        TcpState state = state();
        return state == TcpState.CLOSED
                || state == TcpState.RESET
                || here.isFinSeen
                || (here.isSynSeen || state != TcpState.SYN_SENT) && timestampNs - lastNs > QUIET_NS;
    }

    /** Analyses a segment as {@link TcpAnalysis#segment} does, and follows the connection; returns its signs. */
    public int segment(boolean isForward, TcpNumbers tcp, int length, long timestampNs) {
        int signs = analysis.segment(isForward, tcp, length, timestampNs);
        for (int left = signs; left != 0; left &= left - 1) {
            counts[Integer.numberOfTrailingZeros(left) + (isForward ? 0 : SIGNS)]++;
        }
        Side here = isForward ? forward : reverse;
        Side there = isForward ? reverse : forward;
        here.flags |= tcp.flags & 0xff;
        here.payloadBytes += length;
        follow(here, there, tcp, length);
        lastNs = timestampNs;
        return signs;
    }

    private void follow(Side here, Side there, TcpNumbers tcp, int length) {
        if (tcp.isRst()) {
            isReset |= !(forward.isFinAcknowledged && reverse.isFinAcknowledged);
            return;
        }
        if (tcp.isSyn() && (!here.isSynSeen || here.firstSequence == tcp.sequence)) {
            here.isSynSeen = true;
            here.firstSequence = tcp.sequence;
        }
        if (tcp.isAck()) {
            acknowledge(here, there, tcp.acknowledgment);
        }
        if (tcp.isFin() && !here.isFinSeen) {
            here.isFinSeen = true;
            here.finSequence = tcp.sequence + length;
        }
    }

    private void acknowledge(Side here, Side there, int acknowledgment) {
        there.isSynAcknowledged |=
                there.isSynSeen && SequenceNumbers.difference(acknowledgment, there.firstSequence) > 0;
        there.isFinAcknowledged |= there.isFinSeen && SequenceNumbers.difference(acknowledgment, there.finSequence) > 0;
        isEstablished |= here.isSynAcknowledged && there.isSynAcknowledged;
    }
}
