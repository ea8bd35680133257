package io.offhook.analysis;

import io.offhook.calls.event.ContainedSink;

/** Sees each round as a whole, alone, while its frames can still be read. */
@FunctionalInterface
public interface RoundSink extends ContainedSink {
    /** All of a round was decoded and reported; it is borrowed until this returns. */
    void round(Round round);
}
