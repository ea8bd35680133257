package io.offhook.sip;

/** Where in its stream the current message lies; positions count delivered and missing bytes from 0. */
final class StreamPlace {
    private long start;
    private long end;

    void set(long start, long end) {
        this.start = start;
        this.end = end;
    }

    long start() {
        return start;
    }

    long end() {
        return end;
    }
}
