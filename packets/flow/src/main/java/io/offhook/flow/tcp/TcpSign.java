package io.offhook.flow.tcp;

/**
 * What a TCP segment's numbers show, by the definitions of Wireshark's {@code tcp.analysis.*}.
 * {@link TcpAnalysis#segment} returns signs as a bit set. {@link #label()} is the name of the counter in JSON and text
 * output.
 */
public enum TcpSign {
    /** Data, a SYN or a FIN that was sent before, for another reason than those below. */
    RETRANSMISSION("retransmissions"),
    /** A retransmission within 20 ms of the second or a later duplicate acknowledgment (RFC 5681, 3.2). */
    FAST_RETRANSMISSION("fastRetransmissions"),
    /** A retransmission of data that the receiver had acknowledged already. */
    SPURIOUS_RETRANSMISSION("spuriousRetransmissions"),
    /**
     * Data that arrived after later data, within the initial round trip (3 ms if that is unknown): reordered, not
     * retransmitted.
     */
    OUT_OF_ORDER("outOfOrder"),
    /** Data that begins behind the highest sequence number seen: what lies in between was lost, or not captured. */
    PREVIOUS_SEGMENT_LOST("previousSegmentsLost"),
    /** An acknowledgment of data that was not seen. */
    ACKED_UNSEEN("ackedUnseen"),
    /** A pure acknowledgment that repeats the one before, window included. */
    DUPLICATE_ACK("duplicateAcks"),
    /** A segment with no data or one byte, just before the next expected byte. */
    KEEP_ALIVE("keepAlives"),
    /** The answer to a keep-alive. */
    KEEP_ALIVE_ACK("keepAliveAcks"),
    /** The receiver announces that it has no room. */
    ZERO_WINDOW("zeroWindows"),
    /** One byte of data, sent to probe whether the receiver has room again. */
    ZERO_WINDOW_PROBE("zeroWindowProbes"),
    /** The answer to a zero window probe: the window is still closed. */
    ZERO_WINDOW_PROBE_ACK("zeroWindowProbeAcks"),
    /** A pure acknowledgment that repeats the one before, except for the window. */
    WINDOW_UPDATE("windowUpdates"),
    /** Data up to the exact end of the receiver's window. */
    WINDOW_FULL("windowFull");

    private final String label;
    private final int bit;

    @SuppressWarnings("EnumOrdinal") // the bits do not leave this process
    TcpSign(String label) {
        this.label = label;
        bit = 1 << ordinal();
    }

    /** The name of the counter in JSON and text output. */
    public String label() {
        return label;
    }

    /** Whether a bit set contains this sign. */
    public boolean isIn(int signs) {
        return (signs & bit) != 0;
    }

    int bit() {
        return bit;
    }
}
