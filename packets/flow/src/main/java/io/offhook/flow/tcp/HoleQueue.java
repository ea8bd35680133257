package io.offhook.flow.tcp;

import org.jspecify.annotations.Nullable;

/** Streams with a hole, in the order in which they started to wait: a list linked through the streams. */
final class HoleQueue {
    private @Nullable TcpStream longest;
    private @Nullable TcpStream last;

    /** The stream that has waited longest; null if none waits. */
    @Nullable
    TcpStream longest() {
        return longest;
    }

    /** Adds a stream, which must not be queued, at the end; its hole has waited since {@code timestampNs}. */
    void join(TcpStream stream, long timestampNs) {
        stream.isQueued = true;
        stream.holeTimestampNs = timestampNs;
        stream.holePosition = stream.position;
        stream.segmentsSinceAcknowledged = 0;
        TcpStream before = last;
        stream.queuedBefore = before;
        if (before == null) {
            longest = stream;
        } else {
            before.queuedAfter = stream;
        }
        last = stream;
    }

    /** Removes a stream; one that is not queued stays as it is. */
    void leave(TcpStream stream) {
        if (!stream.isQueued) {
            return;
        }
        TcpStream before = stream.queuedBefore;
        TcpStream after = stream.queuedAfter;
        if (before == null) {
            longest = after;
        } else {
            before.queuedAfter = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.queuedBefore = before;
        }
        stream.queuedBefore = null;
        stream.queuedAfter = null;
        stream.isQueued = false;
    }
}
