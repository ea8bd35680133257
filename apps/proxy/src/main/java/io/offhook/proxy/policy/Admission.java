package io.offhook.proxy.policy;

/** Whether new requests are taken. Thread-safe. */
public final class Admission {
    private volatile boolean closed;

    /** Creates an open admission. */
    public Admission() {}

    /** Takes no new requests from now on; those in dialogs pass. */
    public void close() {
        closed = true;
    }

    /** Whether no new requests are taken. */
    public boolean isClosed() {
        return closed;
    }
}
