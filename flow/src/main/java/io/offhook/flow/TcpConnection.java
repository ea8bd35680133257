package io.offhook.flow;

import org.jspecify.annotations.Nullable;

/** Two endpoints and the two directions between them. One for each number of the table, used again. */
final class TcpConnection {
    final int number;
    /** From the lower endpoint to the higher, and back. */
    private final TcpDirection up = new TcpDirection();

    private final TcpDirection down = new TcpDirection();
    /** Its first packet. */
    long firstFrameNumber;

    long firstTimestampNs;
    /** When its last packet came. */
    long lastTimestampNs;
    /** When it last took its place in the order of age. */
    long placedNs;
    /** Which of the two lists it is in. */
    boolean isAmongStreams;

    /** What its numbers show; made where that was asked for. */
    @Nullable
    TcpAnalysis analysis;

    TcpConnection(int number) {
        this.number = number;
    }

    void begin(long frameNumber, long timestampNs) {
        up.clear();
        down.clear();
        firstFrameNumber = frameNumber;
        firstTimestampNs = timestampNs;
        lastTimestampNs = timestampNs;
        placedNs = timestampNs;
        isAmongStreams = false;
        analysis = null;
    }

    TcpDirection direction(boolean upward) {
        return upward ? up : down;
    }

    boolean hasStream() {
        return up.stream != null || down.stream != null;
    }
}
