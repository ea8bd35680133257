package io.offhook.web.data;

import io.offhook.report.fields.FieldWriter;

/**
 * A call that one user opened with keys of their own, apart from everything else: read once more, with what is decrypted, into a
 * database that is deleted with it. Thread-safe.
 */
public interface KeyedCall extends AutoCloseable {
    /** The call, as far as it was read. */
    CallData data();

    /** How far that is. */
    State state();

    /** Whether somebody is reading its packets, audio or export, now. */
    boolean isInUse();

    /** Writes the fields of what was found: the call's id in {@link #data}, and in words what the keys open and what not. */
    void write(FieldWriter out);

    /** Stops reading, overwrites the keys, and deletes the database: at once, or when the last one who reads is done. */
    @Override
    void close();

    /** How far a call was read. */
    enum State {
        /** Its packets are looked for and read. */
        READING,
        /** It can be looked at. */
        READY,
        /** It cannot be read. */
        FAILED
    }
}
