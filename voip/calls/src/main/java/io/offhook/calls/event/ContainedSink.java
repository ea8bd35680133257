package io.offhook.calls.event;

import java.io.UncheckedIOException;

/** A consumer whose exceptions are contained by what feeds it. */
public interface ContainedSink {
    /**
     * Whether an exception that it threw ends the run. Any other one is contained: what it was thrown at counts as failed,
     * and the run goes on. By default only {@link UncheckedIOException} does, since output that cannot be written is no
     * mistake, and no more of it is wanted.
     */
    default boolean endsRun(RuntimeException thrown) {
        return thrown instanceof UncheckedIOException;
    }
}
