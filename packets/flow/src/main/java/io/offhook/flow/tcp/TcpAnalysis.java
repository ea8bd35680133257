package io.offhook.flow.tcp;

import io.offhook.flow.state.SequenceNumbers;

/**
 * Classifies the segments of a TCP connection by their numbers, as a passive observer: retransmissions and their
 * causes, holes, keep-alives, closed windows. The definitions are those of Wireshark's {@code tcp.analysis.*} (4.0);
 * docs/CONFORMANCE.md lists intended differences. It also measures round trips.
 *
 * <p>One instance per connection. The state has a constant size, and nothing is allocated once both directions have
 * sent data. Not thread-safe. Time is packet time.
 */
public final class TcpAnalysis {
    /** The longest time between the last acknowledgment and a fast retransmission, in nanoseconds. */
    private static final long FAST_NS = 20_000_000;

    /**
     * The longest time after later data for a segment to count as reordered while the round trip is unknown, in
     * nanoseconds.
     */
    private static final long REORDERED_NS = 3_000_000;

    private static final int UNKNOWN = -1;
    private static final int NOT_USED = -2;

    private final Side forward = new Side();
    private final Side reverse = new Side();
    private boolean isOpened;
    private boolean isOpenedForward;
    private long openedNs;
    private int openedNext;
    private long handshakeNs;

    /** Creates the analysis of a connection of which nothing has been seen yet. */
    public TcpAnalysis() {}

    /** The state of one direction. */
    private static final class Side {
        boolean isNextKnown;
        /** The number after the highest one seen, and when it arrived. */
        int next;

        long nextNs;
        /** Everything before this number was seen, or reported as unseen. */
        int contiguous;

        boolean hasAcknowledged;
        int lastAcknowledgment;
        int duplicateAcks;
        /** The window field of the last segment, unscaled. */
        int window = UNKNOWN;

        boolean isWindowOfSyn;
        int windowScale = UNKNOWN;
        int lastSigns;
        long lastNs;
        final TcpRoundTrip roundTrip = new TcpRoundTrip();
        final TcpRoundTrip roundTripByTimestamps = new TcpRoundTrip();
    }

    /**
     * Analyses a segment. Pass segments in the order of the capture.
     *
     * @param isForward the direction: either, but always the same for one direction
     * @param tcp the numbers of the header
     * @param length bytes of payload sent, captured or not
     * @param timestampNs the time of the packet, in nanoseconds since the epoch
     * @return a bit set of {@link TcpSign}s, 0 for an ordinary segment
     */
    public int segment(boolean isForward, TcpNumbers tcp, int length, long timestampNs) {
        Side here = isForward ? forward : reverse;
        Side there = isForward ? reverse : forward;
        if (tcp.hasTimestamps) {
            timestamps(here, there, tcp, length, timestampNs);
        }
        if (handshakeNs == 0) {
            handshake(isForward, tcp, timestampNs);
        }
        int signs = stateOfWindow(here, there, tcp, length);
        if (tcp.isAck() && here.hasAcknowledged && tcp.acknowledgment != here.lastAcknowledgment) {
            here.duplicateAcks = 0;
        }
        if (tcp.isAck() && there.isNextKnown && SequenceNumbers.difference(tcp.acknowledgment, there.contiguous) > 0) {
            signs |= TcpSign.ACKED_UNSEEN.bit();
            there.contiguous = tcp.acknowledgment;
        }
        if (tcp.takesNumbers(length)) {
            if ((signs & TcpSign.KEEP_ALIVE.bit()) == 0) {
                signs |= sentAgain(here, there, tcp, length, timestampNs);
            }
            int next = here.isNextKnown ? here.next : tcp.sequence;
            here.roundTrip.sent(tcp.sequence, tcp.end(length), timestampNs, next);
        }
        if (tcp.isAck()) {
            there.roundTrip.acknowledged(tcp.acknowledgment, timestampNs);
        }
        if (here.isNextKnown || !tcp.isRst()) { // the number in a refusal of a SYN is meaningless
            advance(here, tcp.sequence, tcp.end(length), signs, timestampNs);
        }
        remember(here, there, tcp);
        here.lastNs = timestampNs;
        here.lastSigns = signs;
        return signs;
    }

    private static void remember(Side here, Side there, TcpNumbers tcp) {
        if (tcp.isSyn()) {
            scale(here, there, tcp.windowScale, tcp.isAck());
        }
        here.isWindowOfSyn = tcp.isSyn();
        here.window = tcp.window;
        if (tcp.isAck()) {
            here.hasAcknowledged = true;
            here.lastAcknowledgment = tcp.acknowledgment;
        }
    }

    /**
     * Whatever takes sequence numbers is acknowledged, and therefore echoed, at once or after the receiver's short
     * delay.
     */
    private static void timestamps(Side here, Side there, TcpNumbers tcp, int length, long timestampNs) {
        if (tcp.isAck()) {
            there.roundTripByTimestamps.acknowledged(tcp.timestampEchoReply, timestampNs);
        }
        if (tcp.takesNumbers(length)) {
            here.roundTripByTimestamps.stamped(tcp.timestampValue, timestampNs);
        }
    }

    /**
     * The round trip of the handshake, from the SYN to the acknowledgment of the SYN that answers it, in nanoseconds.
     * It is the round trip between the two ends, wherever the capture was made. 0 if the SYN or that acknowledgment was
     * not seen, or time went backwards between them. A retransmitted SYN restarts the measurement.
     */
    public long handshakeRoundTripNs() {
        return handshakeNs;
    }

    /** The acknowledgment proves that the SYN was answered, even if the answer was not captured. */
    private void handshake(boolean isForward, TcpNumbers tcp, long timestampNs) {
        if (tcp.isSyn() && !tcp.isAck()) {
            isOpened = true;
            isOpenedForward = isForward;
            openedNext = tcp.sequence + 1;
            openedNs = timestampNs;
        } else if (isOpened
                && isForward == isOpenedForward
                && tcp.sequence == openedNext
                && tcp.isAck()
                && tcp.isOrdinary()) {
            isOpened = false;
            handshakeNs = timestampNs < openedNs ? 0 : Math.max(timestampNs - openedNs, 1);
        }
    }

    /** Round trips from the place of capture to the receiver of one direction and back, by acknowledgments. */
    public TcpRoundTrip roundTrip(boolean isForward) {
        return (isForward ? forward : reverse).roundTrip;
    }

    /**
     * The same round trips by the timestamps option (RFC 7323, 3): from the first segment with a timestamp that took
     * sequence numbers to the first segment that echoes it. There are no samples if the connection does not use the
     * option. Unlike round trips by acknowledgments, they include retransmitted segments and segments whose end was not
     * acknowledged separately. The sender's clock ticks about once per millisecond, and only one segment per tick
     * counts.
     */
    public TcpRoundTrip roundTripByTimestamps(boolean isForward) {
        return (isForward ? forward : reverse).roundTripByTimestamps;
    }

    /** Classifies by position and window: zero windows and probes, keep-alives, duplicate acknowledgments. */
    private static int stateOfWindow(Side here, Side there, TcpNumbers tcp, int length) {
        boolean isNext = here.isNextKnown && tcp.sequence == here.next;
        if (length == 1 && isNext && there.window == 0) {
            return TcpSign.ZERO_WINDOW_PROBE.bit();
        }
        int signs = 0;
        if (tcp.window == 0 && tcp.isOrdinary()) {
            signs |= TcpSign.ZERO_WINDOW.bit();
        }
        if (here.isNextKnown && !tcp.isRst() && SequenceNumbers.difference(tcp.sequence, here.next) > 0) {
            signs |= TcpSign.PREVIOUS_SEGMENT_LOST.bit();
        }
        if (!tcp.isOrdinary()) {
            return signs;
        }
        if (length <= 1 && here.isNextKnown && tcp.sequence == here.next - 1) {
            signs |= TcpSign.KEEP_ALIVE.bit();
        }
        if (length > 0) {
            return fillsWindow(there, tcp.sequence + length) ? signs | TcpSign.WINDOW_FULL.bit() : signs;
        }
        boolean repeats = isNext && here.hasAcknowledged && tcp.acknowledgment == here.lastAcknowledgment;
        return repeats ? signs | repeated(here, there, tcp.window) : signs;
    }

    private static boolean fillsWindow(Side there, int end) {
        if (there.windowScale == UNKNOWN || !there.hasAcknowledged) {
            return false;
        }
        int scale = there.isWindowOfSyn || there.windowScale == NOT_USED ? 0 : there.windowScale;
        return end == there.lastAcknowledgment + (there.window << scale);
    }

    /** Handles a pure acknowledgment with the same numbers as the one before. */
    private static int repeated(Side here, Side there, int window) {
        if (window != here.window) {
            return window == 0 ? 0 : TcpSign.WINDOW_UPDATE.bit();
        }
        if (window == 0) {
            return TcpSign.ZERO_WINDOW_PROBE.isIn(there.lastSigns) ? TcpSign.ZERO_WINDOW_PROBE_ACK.bit() : 0;
        }
        if (TcpSign.KEEP_ALIVE.isIn(there.lastSigns)) {
            return TcpSign.KEEP_ALIVE_ACK.bit();
        }
        here.duplicateAcks++;
        return TcpSign.DUPLICATE_ACK.bit();
    }

    /** Why data, a SYN or a FIN does not continue where the highest one ended; 0 if it does. */
    private int sentAgain(Side here, Side there, TcpNumbers tcp, int length, long timestampNs) {
        int sequence = tcp.sequence;
        if (length > 0
                && there.hasAcknowledged
                && SequenceNumbers.difference(sequence + length, there.lastAcknowledgment) <= 0) {
            return TcpSign.SPURIOUS_RETRANSMISSION.bit();
        }
        if (!here.isNextKnown
                || SequenceNumbers.difference(sequence, here.next) >= 0
                || length > 1 && sequence == here.next - 1) { // data after the byte of a zero window probe
            return 0;
        }
        if (there.duplicateAcks >= 2 && there.lastAcknowledgment == sequence && timestampNs - there.lastNs < FAST_NS) {
            return TcpSign.FAST_RETRANSMISSION.bit();
        }
        long reorderedNs = handshakeNs > 0 ? handshakeNs : REORDERED_NS;
        if (timestampNs - here.nextNs < reorderedNs && tcp.end(length) != here.next) {
            return TcpSign.OUT_OF_ORDER.bit();
        }
        return TcpSign.RETRANSMISSION.bit();
    }

    private static void advance(Side here, int sequence, int end, int signs, long timestampNs) {
        if (TcpSign.ZERO_WINDOW_PROBE.isIn(signs)) {
            return; // the byte is sent again with those after it
        }
        if (!here.isNextKnown) {
            here.contiguous = sequence;
        }
        boolean goesOn = sequence == here.contiguous;
        if (!here.isNextKnown || SequenceNumbers.difference(end, here.next) > 0) {
            here.isNextKnown = true;
            here.next = end;
            here.nextNs = timestampNs;
        }
        if (goesOn) {
            here.contiguous = here.next;
        }
    }

    /** Windows are scaled if both SYN segments have the option; unless both were seen, the scale is unknown. */
    private static void scale(Side here, Side there, int windowScale, boolean isAnswer) {
        if (windowScale < 0) {
            here.windowScale = NOT_USED;
            there.windowScale = NOT_USED;
        } else {
            here.windowScale = isAnswer && there.windowScale == NOT_USED ? NOT_USED : Math.min(windowScale, 14);
        }
    }
}
