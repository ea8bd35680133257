package io.offhook.calls.event;

import java.io.UncheckedIOException;

/** A consumer whose exceptions are contained by its feeder. */
public interface ContainedSink {
    /**
     * Whether an exception that it threw ends the run. Any other is contained: what it was thrown at is counted as
     * failed, and the run goes on. By default only {@link UncheckedIOException} ends it: output that cannot be written
     * is no bug, and no more of it is wanted.
     */
    default boolean endsRun(RuntimeException thrown) {
        return thrown instanceof UncheckedIOException;
    }
}
