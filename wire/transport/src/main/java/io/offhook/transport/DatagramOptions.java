package io.offhook.transport;

/**
 * How lanes receive, send and wait.
 *
 * @param backend the system interface
 * @param burst the most datagrams that a socket delivers before the next one has its turn, and that one system call moves; 1
 *     to 1024
 * @param maxLength the longest datagram in bytes, 1 to 65535; longer ones are counted and not delivered
 * @param busyPollNs how long a wait polls before the thread sleeps, while datagrams come in such short intervals; 0 sleeps at
 *     once. Sleeping and waking up takes some 5 to 50 µs, polling takes a processor
 * @param selectsLanes whether the kernel delivers a request of SIP to the lane that {@link CallIdLane} selects, and a response
 *     to the lane named in the branch of its topmost Via ({@code z9hG4bKoh} and two hexadecimal digits). Needs Linux 5.3,
 *     CAP_BPF and CAP_PERFMON; otherwise the kernel selects by the addresses
 */
public record DatagramOptions(Backend backend, int burst, int maxLength, long busyPollNs, boolean selectsLanes) {
    /** The system interfaces. */
    public enum Backend {
        /** Linux's own where it works, otherwise that of the JDK. */
        AUTO,
        /** recvmmsg(2) and sendmmsg(2) of Linux: one system call a burst. */
        NATIVE,
        /**
         * DatagramChannel of the JDK: one system call a datagram, no ICMP errors, no arrival times, no local address on
         * wildcards.
         */
        NIO
    }

    /** Checks the values. */
    public DatagramOptions {
        if (burst < 1 || burst > 1024) {
            throw new IllegalArgumentException("burst " + burst + " is outside 1 to 1024");
        }
        if (maxLength < 1 || maxLength > 65_535) {
            throw new IllegalArgumentException("maxLength " + maxLength + " is outside 1 to 65535");
        }
        if (busyPollNs < 0) {
            throw new IllegalArgumentException("busyPollNs " + busyPollNs + " is negative");
        }
    }

    /** Bursts of 64, datagrams of any length, no busy polling. */
    public static DatagramOptions standard() {
        return new DatagramOptions(Backend.AUTO, 64, 65_535, 0, true);
    }

    /** The same options with another backend. */
    public DatagramOptions with(Backend other) {
        return new DatagramOptions(other, burst, maxLength, busyPollNs, selectsLanes);
    }
}
