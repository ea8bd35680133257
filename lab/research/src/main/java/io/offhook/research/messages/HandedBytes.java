package io.offhook.research.messages;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Counts what was handed over as bytes; JMH sets it back before each iteration, and tells it behind the time. */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class HandedBytes {
    /** Of all messages of an iteration. */
    public long bytes;

    /** JMH makes it. */
    public HandedBytes() {}
}
