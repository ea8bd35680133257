package io.offhook.web.data;

import io.offhook.report.fields.FieldWriter;

/** Captures of the same traffic at several points, and what was lost between them. Thread-safe. */
public interface CapturePoints {
    /** How far they are compared. */
    enum State {
        /** They are being compared. */
        READING,
        /** What was found can be written. */
        READY,
        /** They cannot be compared. */
        FAILED
    }

    /** How far they are compared, which begins when this is first asked. */
    State state();

    /**
     * Writes what is known of a call into the object that is open: {@code points}, {@code streams} and {@code messages}, as
     * {@code offhook where} has them; {@code message} if they cannot be compared.
     */
    void write(CallData.CallKey call, FieldWriter out);
}
