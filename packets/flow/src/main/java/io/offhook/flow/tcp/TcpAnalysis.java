package io.offhook.flow.tcp;

import io.offhook.flow.state.SequenceNumbers;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.transport.TcpOptions;
import io.offhook.packet.transport.TcpView;
import java.lang.foreign.MemorySegment;

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

    private static final int SYN_OR_FIN = TcpView.SYN | TcpView.FIN;
    private static final int OPENS_OR_CLOSES = SYN_OR_FIN | TcpView.RST;
    private static final int NO_SCALE = -1;
    private static final int UNKNOWN = -1;
    private static final int NOT_USED = -2;

    private final Side forward = new Side();
    private final Side reverse = new Side();
    private final TcpOptions options = new TcpOptions();
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
     * Analyses a segment in memory. Pass segments in the order of the capture.
     *
     * @param isForward the direction: either, but always the same for one direction
     * @param segment native memory with the segment
     * @param header the first byte of the TCP header, of which at least 20 bytes are present
     * @param headerLength bytes of the header that are present, options included
     * @param length bytes of payload sent, captured or not
     * @param timestampNs the time of the packet, in nanoseconds since the epoch
     * @return a bit set of {@link TcpSign}s, 0 for an ordinary segment
     */
    public int segment(
            boolean isForward, MemorySegment segment, long header, int headerLength, int length, long timestampNs) {
        int flags = NetworkOrder.u16(segment, header + 12) & 0xfff;
        int windowScale = NO_SCALE;
        options.wrap(segment, header + TcpView.MIN_LENGTH, Math.max(headerLength - TcpView.MIN_LENGTH, 0));
        while (options.next()) {
            if (options.kind() == TcpOptions.TIMESTAMPS && options.dataLength() == 8) {
                timestamps(isForward, flags, length, timestampNs);
            } else if (options.kind() == TcpOptions.WINDOW_SCALE && (flags & TcpView.SYN) != 0) {
                windowScale = options.windowScale();
            }
        }
        return segment(
                isForward,
                NetworkOrder.bits32(segment, header + 4),
                NetworkOrder.bits32(segment, header + 8),
                flags,
                NetworkOrder.u16(segment, header + 14),
                windowScale,
                length,
                timestampNs);
    }

    /**
     * Whatever takes sequence numbers is acknowledged, and therefore echoed, at once or after the receiver's short
     * delay.
     */
    private void timestamps(boolean isForward, int flags, int length, long timestampNs) {
        if ((flags & TcpView.ACK) != 0) {
            (isForward ? reverse : forward)
                    .roundTripByTimestamps.acknowledged((int) options.timestampEchoReply(), timestampNs);
        }
        if (length > 0 || (flags & SYN_OR_FIN) != 0) {
            (isForward ? forward : reverse).roundTripByTimestamps.stamped((int) options.timestampValue(), timestampNs);
        }
    }

    /**
     * Analyses a segment without a timestamps option. Pass segments in the order of the capture.
     *
     * @param isForward the direction: either, but always the same for one direction
     * @param sequence the sequence number of the header
     * @param acknowledgment the acknowledgment number of the header; ignored without the flag ACK
     * @param flags the flags, as in {@link TcpView}
     * @param window the window field of the header, unscaled
     * @param windowScale the window scale option of a SYN (RFC 7323, 2.2); -1 if there is none
     * @param length bytes of payload sent, captured or not
     * @param timestampNs the time of the packet, in nanoseconds since the epoch
     * @return a bit set of {@link TcpSign}s, 0 for an ordinary segment
     */
    public int segment(
            boolean isForward,
            int sequence,
            int acknowledgment,
            int flags,
            int window,
            int windowScale,
            int length,
            long timestampNs) {
        Side here = isForward ? forward : reverse;
        Side there = isForward ? reverse : forward;
        boolean isAck = (flags & TcpView.ACK) != 0;
        if (handshakeNs == 0) {
            handshake(isForward, sequence, flags, timestampNs);
        }
        int signs = stateOfWindow(here, there, sequence, acknowledgment, flags, window, length);
        if (isAck && here.hasAcknowledged && acknowledgment != here.lastAcknowledgment) {
            here.duplicateAcks = 0;
        }
        if (isAck && there.isNextKnown && SequenceNumbers.difference(acknowledgment, there.contiguous) > 0) {
            signs |= TcpSign.ACKED_UNSEEN.bit();
            there.contiguous = acknowledgment;
        }
        boolean takesNumbers = length > 0 || (flags & SYN_OR_FIN) != 0;
        if (takesNumbers && (signs & TcpSign.KEEP_ALIVE.bit()) == 0) {
            signs |= sentAgain(here, there, sequence, flags, length, timestampNs);
        }
        int end = sequence + length + ((flags & SYN_OR_FIN) != 0 ? 1 : 0);
        if (takesNumbers) {
            here.roundTrip.sent(sequence, end, timestampNs, here.isNextKnown ? here.next : sequence);
        }
        if (isAck) {
            there.roundTrip.acknowledged(acknowledgment, timestampNs);
        }
        if (here.isNextKnown || (flags & TcpView.RST) == 0) { // the number in a refusal of a SYN is meaningless
            advance(here, sequence, end, signs, timestampNs);
        }
        if ((flags & TcpView.SYN) != 0) {
            scale(here, there, windowScale, isAck);
        }
        here.isWindowOfSyn = (flags & TcpView.SYN) != 0;
        here.window = window;
        if (isAck) {
            here.hasAcknowledged = true;
            here.lastAcknowledgment = acknowledgment;
        }
        here.lastNs = timestampNs;
        here.lastSigns = signs;
        return signs;
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
    private void handshake(boolean isForward, int sequence, int flags, long timestampNs) {
        if ((flags & (TcpView.SYN | TcpView.ACK)) == TcpView.SYN) {
            isOpened = true;
            isOpenedForward = isForward;
            openedNext = sequence + 1;
            openedNs = timestampNs;
        } else if (isOpened
                && isForward == isOpenedForward
                && sequence == openedNext
                && (flags & (TcpView.ACK | OPENS_OR_CLOSES)) == TcpView.ACK) {
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
    private static int stateOfWindow(
            Side here, Side there, int sequence, int acknowledgment, int flags, int window, int length) {
        boolean isNext = here.isNextKnown && sequence == here.next;
        if (length == 1 && isNext && there.window == 0) {
            return TcpSign.ZERO_WINDOW_PROBE.bit();
        }
        int signs = 0;
        boolean isOrdinary = (flags & OPENS_OR_CLOSES) == 0;
        if (window == 0 && isOrdinary) {
            signs |= TcpSign.ZERO_WINDOW.bit();
        }
        if (here.isNextKnown && (flags & TcpView.RST) == 0 && SequenceNumbers.difference(sequence, here.next) > 0) {
            signs |= TcpSign.PREVIOUS_SEGMENT_LOST.bit();
        }
        if (!isOrdinary) {
            return signs;
        }
        if (length <= 1 && here.isNextKnown && sequence == here.next - 1) {
            signs |= TcpSign.KEEP_ALIVE.bit();
        }
        if (length > 0) {
            return fillsWindow(there, sequence + length) ? signs | TcpSign.WINDOW_FULL.bit() : signs;
        }
        boolean repeats = isNext && here.hasAcknowledged && acknowledgment == here.lastAcknowledgment;
        return repeats ? signs | repeated(here, there, window) : signs;
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
    private int sentAgain(Side here, Side there, int sequence, int flags, int length, long timestampNs) {
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
        int end = sequence + length + ((flags & SYN_OR_FIN) != 0 ? 1 : 0);
        long reorderedNs = handshakeNs > 0 ? handshakeNs : REORDERED_NS;
        if (timestampNs - here.nextNs < reorderedNs && end != here.next) {
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
