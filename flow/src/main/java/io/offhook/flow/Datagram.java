package io.offhook.flow;

/** A datagram that waits for fragments. One for each number of the table, used again. */
final class Datagram {
    static final int UNKNOWN = -1;

    final int number;
    final RangeList payload;
    int version;
    long firstTimestampNs;
    long firstFrameNumber;
    int fragments;
    /** Bytes of payload, once the last fragment came. */
    int payloadLength;
    /** The block with the header of the first fragment. */
    int headerBlock;

    int headerLength;
    int nextHeaderField;
    int nextHeader;
    /** Whoever wants beginnings was asked for this one, and had use for it. */
    boolean beginningAsked;

    boolean beginningTold;
    /** Nothing of it is kept any more, and what still comes for it is dropped (RFC 5722). */
    boolean discarded;

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
        beginningTold = false;
        discarded = false;
    }

    /** Whether its first bytes are there. */
    boolean hasBeginning() {
        return headerBlock != BlockPool.NONE && !payload.isEmpty() && payload.firstStart() == 0;
    }

    boolean isComplete() {
        return headerBlock != BlockPool.NONE && payloadLength == payload.bytes();
    }
}
