package io.offhook.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/** The counters of a lane: its thread adds, others read. */
final class LaneCounters {
    static final int RECEIVED = 0;
    static final int RECEIVED_OCTETS = 1;
    static final int TRUNCATED = 2;
    static final int RECEIVE_CALLS = 3;
    static final int SENT = 4;
    static final int SENT_OCTETS = 5;
    static final int SEND_CALLS = 6;
    static final int POSTPONED = 7;
    static final int REFUSED = 8;
    static final int FAILURES = 9;
    static final int RECEIVE_ERRORS = 10;
    private static final int COUNT = 11;
    /** Larger than every errno of Linux. */
    private static final int ERRNOS = 256;

    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] values = new long[COUNT];
    private final long[] sendErrors = new long[ERRNOS];

    void add(int counter, long amount) {
        VALUE.setOpaque(values, counter, values[counter] + amount);
    }

    void sendError(int errno) {
        int at = errno < ERRNOS ? errno : 0;
        VALUE.setOpaque(sendErrors, at, sendErrors[at] + 1);
    }

    DatagramCounters snapshot(List<DatagramCounters.SocketState> sockets) {
        List<DatagramCounters.SendErrors> errors = new ArrayList<>();
        for (int errno = 0; errno < ERRNOS; errno++) {
            long count = (long) VALUE.getOpaque(sendErrors, errno);
            if (count > 0) {
                errors.add(new DatagramCounters.SendErrors(errno, count));
            }
        }
        return new DatagramCounters(
                value(RECEIVED),
                value(RECEIVED_OCTETS),
                value(TRUNCATED),
                value(RECEIVE_CALLS),
                value(RECEIVE_ERRORS),
                value(SENT),
                value(SENT_OCTETS),
                value(SEND_CALLS),
                value(POSTPONED),
                value(REFUSED),
                value(FAILURES),
                List.copyOf(errors),
                List.copyOf(sockets));
    }

    private long value(int counter) {
        return (long) VALUE.getOpaque(values, counter);
    }
}
