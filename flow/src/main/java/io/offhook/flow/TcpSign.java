package io.offhook.flow;

/**
 * What a TCP segment shows beside its bytes, by the definitions of Wireshark's {@code tcp.analysis.*}. {@link
 * TcpAnalysis#segment} tells them as a set of bits. {@link #label()} is what JSON and text output call their number.
 */
public enum TcpSign {
    /** Data (or SYN, FIN) that was sent before, for another reason than those below. */
    RETRANSMISSION("retransmissions"),
    /** Sent again at once, within 20 ms of the second duplicate acknowledgment or later (RFC 5681, 3.2). */
    FAST_RETRANSMISSION("fastRetransmissions"),
    /** Sent again though the receiver had acknowledged it. */
    SPURIOUS_RETRANSMISSION("spuriousRetransmissions"),
    /** Came after later data, within the initial round trip (3 ms where that is not known): reordered, not sent again. */
    OUT_OF_ORDER("outOfOrder"),
    /** Begins behind the highest sequence number seen: what lies before it was lost, or not captured. */
    PREVIOUS_SEGMENT_LOST("previousSegmentsLost"),
    /** Acknowledges what was not seen. */
    ACKED_UNSEEN("ackedUnseen"),
    /** A pure acknowledgment that repeats the one before, window included. */
    DUPLICATE_ACK("duplicateAcks"),
    /** No data or one byte, just before what comes next. */
    KEEP_ALIVE("keepAlives"),
    /** The answer to it. */
    KEEP_ALIVE_ACK("keepAliveAcks"),
    /** The receiver has no room. */
    ZERO_WINDOW("zeroWindows"),
    /** One byte of data, sent to see whether there is room again. */
    ZERO_WINDOW_PROBE("zeroWindowProbes"),
    /** The answer: there is none. */
    ZERO_WINDOW_PROBE_ACK("zeroWindowProbeAcks"),
    /** A pure acknowledgment that repeats the one before, but for the window. */
    WINDOW_UPDATE("windowUpdates"),
    /** Data up to the very end of the receiver's window. */
    WINDOW_FULL("windowFull");

    private final String label;
    private final int bit;

    @SuppressWarnings("EnumOrdinal") // only this process sees it
    TcpSign(String label) {
        this.label = label;
        bit = 1 << ordinal();
    }

    /** What JSON and text output call it. */
    public String label() {
        return label;
    }

    /** Whether a set of bits has it. */
    public boolean isIn(int signs) {
        return (signs & bit) != 0;
    }

    int bit() {
        return bit;
    }
}
