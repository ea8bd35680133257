package io.offhook.web.data;

import io.offhook.report.fields.FieldWriter;
import java.util.function.Consumer;

/** Captures of the same traffic at several points, and what was lost between them. Thread-safe. */
@FunctionalInterface
public interface CapturePoints {
    /** How far a call is compared. */
    enum State {
        /** There is nothing that it could be compared with. */
        NONE,
        /** It is being compared. */
        READING,
        /** What was found can be written. */
        READY,
        /** It cannot be compared. */
        FAILED
    }

    /**
     * A call at several points.
     *
     * @param state how far it is compared
     * @param fields writes what is known into the object that is open: {@code points}, {@code streams} and {@code messages}, as
     *     {@code offhook where} has them; {@code message} if it cannot be compared
     */
    record Comparison(State state, Consumer<FieldWriter> fields) {
        /** Of a call that was captured at one point only. */
        public static final Comparison NONE = new Comparison(State.NONE, _ -> {});

        /** Of a call that is being compared: to be asked for again. */
        public static final Comparison READING = new Comparison(State.READING, _ -> {});

        /** Of a call that cannot be compared. */
        public static Comparison failed(String message) {
            return new Comparison(State.FAILED, out -> out.field("message", message));
        }
    }

    /** Compares a call, or begins to do so. */
    Comparison compare(CallData.CallKey call);
}
