package io.offhook.research.messages;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Counts the bytes handed over; JMH resets it before each iteration and reports it after the time. */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class HandedBytes {
    /** The bytes of all messages of an iteration. */
    public long bytes;

    /** Created by JMH. */
    public HandedBytes() {}
}
