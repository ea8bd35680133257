package io.offhook.analysis;

import java.io.Serial;

/** Ends the run: carries what a consumer threw past the code that contains exceptions. */
final class RunEndedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final RuntimeException thrown;

    private RunEndedException(RuntimeException thrown) {
        super(thrown);
        this.thrown = thrown;
    }

    /** Ends the run with what was thrown if that is to end it. */
    static void throwIf(boolean ends, RuntimeException thrown) {
        if (thrown instanceof RunEndedException ended) {
            throw ended;
        }
        if (ends) {
            throw new RunEndedException(thrown);
        }
    }

    /** What the consumer threw. */
    RuntimeException thrown() {
        return thrown;
    }
}
