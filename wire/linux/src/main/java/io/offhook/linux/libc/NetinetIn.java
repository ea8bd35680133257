package io.offhook.linux.libc;

/**
 * {@code netinet/in.h}: the addresses of the Internet protocols, and the options of their sockets. The family is in native
 * byte order, ports and addresses in network byte order; a test compares the constants with the C compiler's.
 *
 * <pre>
 *    sockaddr_in                           sockaddr_in6
 *   +-----------------------------+ 0     +-----------------------------+ 0
 *   | family (16), port (16)      |       | family (16), port (16)      |
 *   | address (32)                | 4     | flow information (32)       | 4
 *   | padding (64)                | 8     | address (128)               | 8
 *   +-----------------------------+ 16    | scope (32)                  | 24
 *                                         +-----------------------------+ 28
 *    in_pktinfo                            in6_pktinfo
 *   +-----------------------------+ 0     +-----------------------------+ 0
 *   | interface (32)              |       | address (128)               |
 *   | local address (32)          | 4     | interface (32)              | 16
 *   | address in the header (32)  | 8     +-----------------------------+ 20
 *   +-----------------------------+ 12
 * </pre>
 */
public final class NetinetIn {
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;

    public static final int IPPROTO_IP = 0;
    public static final int IPPROTO_IPV6 = 41;

    public static final int IP_TOS = 1;
    public static final int IP_PKTINFO = 8;
    public static final int IP_RECVERR = 11;
    public static final int IPV6_RECVERR = 25;
    public static final int IPV6_V6ONLY = 26;
    public static final int IPV6_RECVPKTINFO = 49;
    public static final int IPV6_PKTINFO = 50;
    public static final int IPV6_TCLASS = 67;

    /** The size of struct sockaddr_in. */
    public static final int IPV4_BYTES = 16;

    /** Both families. */
    public static final int PORT = 2;

    public static final int IPV4_ADDRESS = 4;

    /** The size of struct sockaddr_in6. */
    public static final int IPV6_BYTES = 28;

    public static final int IPV6_ADDRESS = 8;
    public static final int IPV6_SCOPE = 24;

    /** The size of struct in_pktinfo. */
    public static final int PKTINFO_BYTES = 12;

    public static final int PKTINFO_LOCAL = 4;
    public static final int PKTINFO_HEADER = 8;

    /** The size of struct in6_pktinfo. */
    public static final int PKTINFO6_BYTES = 20;

    public static final int PKTINFO6_INTERFACE = 16;

    private NetinetIn() {}
}
