package io.offhook.analysis;

import io.offhook.calls.event.ContainedSink;

/** Receives each round as a whole, while no other consumer is at work and its frames can still be read. */
@FunctionalInterface
public interface RoundSink extends ContainedSink {
    /** A round was decoded and reported to all other sinks; it is borrowed until this returns. */
    void round(Round round);
}
