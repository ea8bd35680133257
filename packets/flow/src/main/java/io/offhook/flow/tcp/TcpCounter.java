package io.offhook.flow.tcp;

/** The counters of {@link TcpStreams}. {@link #label()} is the name in JSON and text output. */
public enum TcpCounter {
    /** Segments passed to the table. */
    SEGMENTS("tcpSegments"),
    /** Streams reported to the handler or held for it: directions with payload. */
    STREAMS("tcpStreams"),
    /** Payload bytes passed to the handler. */
    BYTES("tcpBytes"),
    /** Payloads of unknown connections that the handler declined. */
    NOT_PICKED_UP("tcpSegmentsNotPickedUp"),
    /** Payloads of streams that the handler ignores. */
    IGNORED("tcpSegmentsIgnored"),
    /** Payloads that arrived early and were held. */
    OUT_OF_ORDER("tcpSegmentsOutOfOrder"),
    /** Payloads whose bytes had all been reported or held before: sent again, or captured twice. */
    RETRANSMITTED("tcpSegmentsRetransmitted"),
    /** Payloads some of whose bytes had been reported or held before; the overlap policy decides which bytes count. */
    OVERLAPPING("tcpSegmentsOverlapping"),
    /** Payloads of one byte, the one before the next expected: keep-alive probes. */
    KEEP_ALIVES("tcpKeepAlives"),
    /** Payloads that arrived after their place was reported as a hole, or from before the start of the stream. */
    LATE("tcpSegmentsLate"),
    /** Snapped payloads. */
    CAPTURED_SHORT("tcpSegmentsCapturedShort"),
    /** Holes reported to the handler. */
    GAPS("tcpGaps"),
    /** Bytes in these holes. */
    MISSING_BYTES("tcpMissingBytes"),
    /** Holes that the receiver acknowledged: their bytes arrived, and only the capture lost them. */
    GAPS_ACKNOWLEDGED("tcpGapsAcknowledged"),
    /** Holes reported early because a limit on held segments or bytes was reached. */
    GAPS_FORCED("tcpGapsForced"),
    /** Bytes that should have been held but for which there was no memory. */
    UNHELD_BYTES("tcpBytesNotHeld"),
    /**
     * Payloads, FIN and RST dropped because they were too far from the next expected byte to belong to the connection.
     */
    OUT_OF_WINDOW("tcpSegmentsOutOfWindow"),
    /** SYN segments of other connections on the ports of a live one; they were dropped. */
    STRAY_SYN("tcpStraySyns"),
    /** Payloads that arrived after the end of their stream. */
    AFTER_END("tcpSegmentsAfterEnd"),
    /** Streams that ended by FIN. */
    FINISHED("tcpStreamsFinished"),
    /** Streams that ended by RST. */
    RESET("tcpStreamsReset"),
    /** Streams evicted from a full table. */
    EVICTED("tcpStreamsEvicted"),
    /** Connections without a live stream (a SYN, ignored, closed) evicted from a full table. */
    MARKS_EVICTED("tcpMarksEvicted"),
    /** Streams that ended at the idle timeout. */
    IDLE("tcpStreamsIdle"),
    /** Streams that ended because their ports were reused. */
    REUSED("tcpStreamsReused"),
    /** Streams that were alive when the capture ended. */
    CAPTURE_END("tcpStreamsAtEnd");

    private final String label;

    TcpCounter(String label) {
        this.label = label;
    }

    /** The name of the counter in JSON and text output. */
    public String label() {
        return label;
    }
}
