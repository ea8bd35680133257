package io.offhook.flow.tcp;

import org.jspecify.annotations.Nullable;

/** The state of one direction of a connection that exists with or without a stream. Reused. */
final class TcpDirection {
    /** The state of a direction. */
    enum State {
        /** Nothing seen so far fixes the position of a payload. */
        UNKNOWN,
        /** {@link #nextSequence} is the number of the first byte: the SYN, or its acknowledgment, was seen. */
        BEGUN,
        /** A {@link #stream} exists. */
        OPEN,
        /** The handler ignores the direction. */
        IGNORED,
        /** The direction ended before {@link #nextSequence}. */
        CLOSED
    }

    State state = State.UNKNOWN;

    @Nullable
    TcpStream stream;

    int nextSequence;
    /** The sequence number of the first byte, if {@link #isFirstKnown}. */
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
