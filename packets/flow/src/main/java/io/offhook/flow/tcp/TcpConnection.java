package io.offhook.flow.tcp;

import org.jspecify.annotations.Nullable;

/**
 * Two endpoints and the two directions between them. There is one instance per number of the table, which is reused.
 */
final class TcpConnection {
    final int number;
    /** From the lower endpoint to the higher; the other direction follows. */
    private final TcpDirection up = new TcpDirection();

    private final TcpDirection down = new TcpDirection();
    /** The number of the first packet's frame. */
    long firstFrameNumber;

    long firstTimestampNs;
    /** The time of the last packet. */
    long lastTimestampNs;
    /** When the connection last moved in the order of age. */
    long placedNs;
    /** Which of the two age lists the connection is in. */
    boolean isAmongStreams;

    /** The analysis of its segments; created on demand. */
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
