package io.offhook.sip.transaction;

/**
 * The times of transactions, in nanoseconds (RFC 3261, 17.1.1.2 and table 4). Those not given here follow from T1: 64 T1 for
 * timers B, D, F, H, J, L and M.
 *
 * @param t1 the estimated round trip, 500 ms by default
 * @param t2 the longest interval between retransmissions of all but INVITE, 4 s by default
 * @param t4 how long a message may stay in the network, 5 s by default
 * @param trying after how long a server answers an INVITE with 100 by itself, 200 ms by default (17.2.1); 0 for at once
 */
public record TransactionTimers(long t1, long t2, long t4, long trying) {
    private static final long MS = 1_000_000;

    /** The values of RFC 3261. */
    public static final TransactionTimers DEFAULT = new TransactionTimers(500 * MS, 4_000 * MS, 5_000 * MS, 200 * MS);

    /** Checks the values. */
    public TransactionTimers {
        if (t1 <= 0 || t2 < t1 || t4 <= 0 || trying < 0) {
            throw new IllegalArgumentException("timers T1 " + t1 + ", T2 " + t2 + ", T4 " + t4 + " and 100 after "
                    + trying + " ns: T1 and T4 must be above 0, T2 at least T1");
        }
    }

    /** How long a transaction waits for its end: 64 T1, 32 s by default. */
    public long timeout() {
        return 64 * t1;
    }

    /** When a request other than INVITE is answered with 100: when the client's timer E has reached T2 (RFC 4320, 4.1). */
    public long lateTrying() {
        long at = 0;
        for (long interval = t1; interval < t2; interval *= 2) {
            at += interval;
        }
        return at;
    }
}
