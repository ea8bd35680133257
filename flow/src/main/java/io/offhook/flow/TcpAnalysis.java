package io.offhook.flow;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.TcpOptions;
import io.offhook.packet.TcpView;
import java.lang.foreign.MemorySegment;

/**
 * What the numbers of a TCP connection show, segment by segment, to a passive observer: data sent again and why, holes,
 * keep-alives, windows that close. The definitions are those of Wireshark's {@code tcp.analysis.*} (4.0); where they differ
 * on purpose docs/CONFORMANCE.md says so. Measures round trips on the way.
 *
 * <p>One instance a connection. It keeps a few numbers for each direction, whatever the connection does, and allocates
 * nothing once both directions have sent data. Single-threaded; time is that of the packets.
 */
public final class TcpAnalysis {
    /** How soon after the last acknowledgment a fast retransmission comes. */
    private static final long FAST_NS = 20_000_000;

    /** How long after later data a segment is taken for reordered, as long as the round trip is not known. */
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

    /** The analysis of a connection of which nothing was seen so far. */
    public TcpAnalysis() {}

    /** What is known of one direction. */
    private static final class Side {
        boolean isNextKnown;
        /** The number behind the highest one seen, and when it came. */
        int next;

        long nextNs;
        /** Up to here all was seen, or told of as unseen. */
        int contiguous;

        boolean hasAcknowledged;
        int lastAcknowledgment;
        int duplicateAcks;
        /** As in the header, of the last segment. */
        int window = UNKNOWN;

        boolean isWindowOfSyn;
        int windowScale = UNKNOWN;
        int lastSigns;
        long lastNs;
        final RoundTrip roundTrip = new RoundTrip();
        final RoundTrip roundTripByTimestamps = new RoundTrip();
    }

    /**
     * Takes in a segment as it lies in memory, in the order of the capture.
     *
     * @param isForward one of the two directions, always the same
     * @param header where the TCP header starts, of which 20 bytes are there
     * @param headerLength bytes of it that are there, options included
     * @param length bytes of payload sent, captured or not
     * @return a set of {@link TcpSign}, 0 for an ordinary segment
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

    /** What takes sequence numbers is acknowledged, and so echoed, at once or after the receiver's short delay. */
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
     * Takes in a segment, in the order of the capture, as one without timestamps.
     *
     * @param isForward one of the two directions, always the same
     * @param sequence as in the header
     * @param acknowledgment as in the header; means nothing without the flag ACK
     * @param flags as in {@link TcpView}
     * @param window as in the header
     * @param windowScale of a SYN that has the option (RFC 7323, 2.2), else -1
     * @param length bytes of payload sent, captured or not
     * @return a set of {@link TcpSign}, 0 for an ordinary segment
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
        if (here.isNextKnown || (flags & TcpView.RST) == 0) { // who refuses a SYN sends a number of no meaning
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
     * The round trip of the handshake, from the SYN to the acknowledgment of the SYN that answers it, in nanoseconds:
     * between both ends, wherever the capture was made. 0 where the SYN or that acknowledgment was not seen, or time went
     * back between them. A SYN sent again counts from the last.
     */
    public long handshakeRoundTripNs() {
        return handshakeNs;
    }

    /** The acknowledgment tells that the SYN was answered, be the answer captured or not. */
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

    /** Round trips from the capture to the receiver of one direction and back: by what it acknowledged. */
    public RoundTrip roundTrip(boolean isForward) {
        return (isForward ? forward : reverse).roundTrip;
    }

    /**
     * The same round trips by the timestamps option (RFC 7323, 3), without samples where the two do not use it: from the
     * first segment with a timestamp that took sequence numbers to the first one that echoes it. Unlike those by
     * acknowledgments they include segments that were sent again, and those whose end nobody acknowledged by itself; the
     * sender's clock ticks once in a millisecond or so, and only one segment a tick counts.
     */
    public RoundTrip roundTripByTimestamps(boolean isForward) {
        return (isForward ? forward : reverse).roundTripByTimestamps;
    }

    /** Zero window and its probes, keep-alives, duplicate acknowledgments: what is told by a segment's place and window. */
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

    /** A pure acknowledgment with the numbers of the one before. */
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

    /** Why data, a SYN or a FIN comes that does not go on where the highest one ended; 0 if it does. */
    private int sentAgain(Side here, Side there, int sequence, int flags, int length, long timestampNs) {
        if (length > 0
                && there.hasAcknowledged
                && SequenceNumbers.difference(sequence + length, there.lastAcknowledgment) <= 0) {
            return TcpSign.SPURIOUS_RETRANSMISSION.bit();
        }
        if (!here.isNextKnown
                || SequenceNumbers.difference(sequence, here.next) >= 0
                || length > 1 && sequence == here.next - 1) { // data behind the byte of a zero window probe
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
            return; // the byte comes again with those behind it
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

    /** Windows are scaled where both SYN have the option; without either of them that is not known. */
    private static void scale(Side here, Side there, int windowScale, boolean isAnswer) {
        if (windowScale < 0) {
            here.windowScale = NOT_USED;
            there.windowScale = NOT_USED;
        } else {
            here.windowScale = isAnswer && there.windowScale == NOT_USED ? NOT_USED : Math.min(windowScale, 14);
        }
    }
}
