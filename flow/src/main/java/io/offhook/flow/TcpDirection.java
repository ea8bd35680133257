package io.offhook.flow;

import org.jspecify.annotations.Nullable;

/** What is known of one direction of a connection beside the stream itself, and without one. Used again. */
final class TcpDirection {
    /** What the direction is in. */
    enum State {
        /** Nothing was seen that tells the place of a payload. */
        UNKNOWN,
        /** {@link #nextSequence} is the number of the first byte: the SYN was seen, or its acknowledgment. */
        BEGUN,
        /** There is a {@link #stream}. */
        OPEN,
        /** The handler does not want it. */
        IGNORED,
        /** It ended before {@link #nextSequence}. */
        CLOSED
    }

    State state = State.UNKNOWN;

    @Nullable
    TcpStream stream;

    int nextSequence;
    /** The number of the first byte, if {@link #isFirstKnown}. */
    int firstSequence;

    boolean isFirstKnown;

    void clear() {
        state = State.UNKNOWN;
        stream = null;
        isFirstKnown = false;
    }

    void begin(int firstSequence) {
        state = State.BEGUN;
        nextSequence = firstSequence;
        knowFirst(firstSequence);
    }

    void knowFirst(int firstSequence) {
        this.firstSequence = firstSequence;
        isFirstKnown = true;
    }

    void open(TcpStream stream) {
        state = State.OPEN;
        this.stream = stream;
    }

    void ignore() {
        state = State.IGNORED;
        stream = null;
    }

    void close(int nextSequence) {
        state = State.CLOSED;
        stream = null;
        this.nextSequence = nextSequence;
    }
}
