package io.offhook.flow.fragment;

import io.offhook.flow.state.BlockPool;
import io.offhook.flow.state.RangeList;

/** A datagram that waits for fragments. There is one instance per number of the table, which is reused. */
final class Datagram {
    static final int UNKNOWN = -1;

    final int number;
    final RangeList payload;
    int version;
    long firstTimestampNs;
    long firstFrameNumber;
    int fragments;
    /** The length of the payload in bytes, known once the last fragment arrived. */
    int payloadLength;
    /** The block that holds the header of the first fragment. */
    int headerBlock;

    int headerLength;
    int nextHeaderField;
    int nextHeader;
    /** The beginning was reported to the handler, which had use for it. */
    boolean beginningAsked;

    boolean beginningReported;
    /** The datagram was discarded: nothing of it is held, and further fragments are dropped (RFC 5722). */
    boolean discarded;
    /** The frames that its fragments came in, where they are traced. */
    long[] frames = {};

    int frameCount;

    Datagram(int number, BlockPool pool) {
        this.number = number;
        payload = new RangeList(pool);
    }

    void begin(int version, long timestampNs, long frameNumber) {
        this.version = version;
        firstTimestampNs = timestampNs;
        firstFrameNumber = frameNumber;
        fragments = 0;
        payloadLength = UNKNOWN;
        headerBlock = BlockPool.NONE;
        headerLength = 0;
        nextHeaderField = 0;
        nextHeader = 0;
        beginningAsked = false;
        beginningReported = false;
        discarded = false;
        frameCount = 0;
    }

    /** Whether the first bytes of the datagram are held. */
    boolean hasBeginning() {
        return headerBlock != BlockPool.NONE && !payload.isEmpty() && payload.firstStart() == 0;
    }

    boolean isComplete() {
        return headerBlock != BlockPool.NONE && payloadLength == payload.bytes();
    }
}
