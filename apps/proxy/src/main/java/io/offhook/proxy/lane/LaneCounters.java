package io.offhook.proxy.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What a lane has counted; written by its thread, read by any. */
public final class LaneCounters {
    private static final VarHandle[] FIELDS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            FIELDS = new VarHandle[] {
                lookup.findVarHandle(LaneCounters.class, "handedOver", long.class),
                lookup.findVarHandle(LaneCounters.class, "handOverRefused", long.class),
                lookup.findVarHandle(LaneCounters.class, "keepAlives", long.class),
                lookup.findVarHandle(LaneCounters.class, "failures", long.class),
                lookup.findVarHandle(LaneCounters.class, "unanswerable", long.class)
            };
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long handedOver;
    private long handOverRefused;
    private long keepAlives;
    private long failures;
    private long unanswerable;

    LaneCounters() {}

    void countHandedOver() {
        FIELDS[0].setOpaque(this, handedOver + 1);
    }

    void countHandOverRefused() {
        FIELDS[1].setOpaque(this, handOverRefused + 1);
    }

    void countKeepAlive() {
        FIELDS[2].setOpaque(this, keepAlives + 1);
    }

    void countFailure() {
        FIELDS[3].setOpaque(this, failures + 1);
    }

    void countUnanswerable() {
        FIELDS[4].setOpaque(this, unanswerable + 1);
    }

    /** Messages received here that belong to another lane, and were handed over. */
    public long handedOver() {
        return (long) FIELDS[0].getOpaque(this);
    }

    /** Those that found no room there, and were lost. */
    public long handOverRefused() {
        return (long) FIELDS[1].getOpaque(this);
    }

    /** Datagrams that keep a binding of a NAT open: line ends, and STUN, which is answered. */
    public long keepAlives() {
        return (long) FIELDS[2].getOpaque(this);
    }

    /** Exceptions while a message, a task or a timer was processed: bugs, each of which cost one message. */
    public long failures() {
        return (long) FIELDS[3].getOpaque(this);
    }

    /** Datagrams that were dropped because no host can have sent them: from a group, or from port 0. */
    public long unanswerable() {
        return (long) FIELDS[4].getOpaque(this);
    }
}
