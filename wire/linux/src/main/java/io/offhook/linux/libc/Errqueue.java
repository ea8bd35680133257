package io.offhook.linux.libc;

/**
 * {@code linux/errqueue.h}: what the kernel knows of a datagram that could not be delivered.
 *
 * <pre>
 *    0                32       40      48      56      64                96               128
 *   +-----------------+--------+-------+-------+-------+-----------------+----------------+
 *   |      errno      | origin | type  | code  |  pad  |   information   |      data      |   sock_extended_err
 *   +-----------------+--------+-------+-------+-------+-----------------+----------------+
 * </pre>
 */
public final class Errqueue {
    /** The size of struct sock_extended_err. */
    public static final int ERROR_BYTES = 16;

    public static final int ERROR_ERRNO = 0;
    public static final int ERROR_ORIGIN = 4;

    public static final int SO_EE_ORIGIN_LOCAL = 1;
    public static final int SO_EE_ORIGIN_ICMP = 2;
    public static final int SO_EE_ORIGIN_ICMP6 = 3;

    private Errqueue() {}
}
