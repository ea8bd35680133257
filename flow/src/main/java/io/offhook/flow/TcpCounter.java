package io.offhook.flow;

/** What {@link TcpStreams} counts. {@link #label()} is what JSON and text output call it. */
public enum TcpCounter {
    /** Segments given to the table. */
    SEGMENTS("tcpSegments"),
    /** Streams told to the handler or held for it: directions with payload. */
    STREAMS("tcpStreams"),
    /** Payload bytes told to the handler. */
    BYTES("tcpBytes"),
    /** Payloads of unknown connections that the handler had no interest in. */
    NOT_PICKED_UP("tcpSegmentsNotPickedUp"),
    /** Payloads of streams that the handler ignores. */
    IGNORED("tcpSegmentsIgnored"),
    /** Payloads that came before their turn and were held. */
    OUT_OF_ORDER("tcpSegmentsOutOfOrder"),
    /** Payloads all of whose bytes had been told or were held: sent again, or captured twice. */
    RETRANSMITTED("tcpSegmentsRetransmitted"),
    /** Payloads some of whose bytes had been told or were held; the bytes that came first stay. */
    OVERLAPPING("tcpSegmentsOverlapping"),
    /** Payloads of one byte, the one before the next: keep-alive probes. */
    KEEP_ALIVES("tcpKeepAlives"),
    /** Payloads that came after their place was told as a hole, or from before the place where the stream began. */
    LATE("tcpSegmentsLate"),
    /** Payloads that were captured short. */
    CAPTURED_SHORT("tcpSegmentsCapturedShort"),
    /** Holes told to the handler. */
    GAPS("tcpGaps"),
    /** Bytes in these holes. */
    MISSING_BYTES("tcpMissingBytes"),
    /** Of the holes, those that the receiver acknowledged: what lay in them was sent, came, and was lost to the capture. */
    GAPS_ACKNOWLEDGED("tcpGapsAcknowledged"),
    /** Holes told early as a limit on held segments or bytes was reached. */
    GAPS_FORCED("tcpGapsForced"),
    /** Bytes that should have been held and found no memory. */
    UNHELD_BYTES("tcpBytesNotHeld"),
    /** Payloads, FIN and RST too far from the next byte to belong to the connection; they were dropped. */
    OUT_OF_WINDOW("tcpSegmentsOutOfWindow"),
    /** SYN of other connections on the ports of one that is alive; they were dropped. */
    STRAY_SYN("tcpStraySyns"),
    /** Payloads that came after the end of their stream. */
    AFTER_END("tcpSegmentsAfterEnd"),
    /** Streams that ended by FIN. */
    FINISHED("tcpStreamsFinished"),
    /** Streams that ended by RST. */
    RESET("tcpStreamsReset"),
    /** Streams that gave way to others. */
    EVICTED("tcpStreamsEvicted"),
    /** Connections without a live stream (a SYN, ignored, closed) that gave way to others. */
    MARKS_EVICTED("tcpMarksEvicted"),
    /** Streams that ended for lack of packets. */
    IDLE("tcpStreamsIdle"),
    /** Streams that ended as their ports were used again. */
    REUSED("tcpStreamsReused"),
    /** Streams alive at the end of the capture. */
    CAPTURE_END("tcpStreamsAtEnd");

    private final String label;

    TcpCounter(String label) {
        this.label = label;
    }

    /** What JSON and text output call it. */
    public String label() {
        return label;
    }
}
