package io.offhook.linux.network;

/**
 * {@code linux/sock_diag.h}, {@code linux/inet_diag.h} and {@code linux/packet_diag.h}: sock_diag(7). Numbers are in
 * native byte order, ports and addresses in network byte order; a test compares the constants with the C compiler's.
 *
 * <pre>
 *   inet_diag_req_v2                  inet_diag_msg                     inet_diag_sockid
 *   +---------------------------+ 0   +---------------------------+ 0   +---------------------------+ 0
 *   | family, protocol,         |     | family, state, timer,     |     | source, destination port  |
 *   | extensions, padding       |     | retransmissions           |     | source address (128)      | 4
 *   | states (32)               | 4   | inet_diag_sockid          | 4   | destination address (128) | 20
 *   | inet_diag_sockid          | 8   | expires, receive queue    | 52  | interface, cookie (64)    | 36
 *   +---------------------------+ 56  | send queue, user, inode   | 60  +---------------------------+ 48
 *                                     +---------------------------+ 72
 * </pre>
 */
public final class SockDiag {
    static final int NETLINK_SOCK_DIAG = 4;
    static final int SOCK_DIAG_BY_FAMILY = 20;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int AF_PACKET = 17;
    static final int IPPROTO_TCP = 6;
    static final int IPPROTO_UDP = 17;

    /** The size of struct inet_diag_req_v2. */
    static final int REQUEST_BYTES = 56;

    static final int REQUEST_PROTOCOL = 1;
    static final int REQUEST_EXTENSIONS = 2;
    static final int REQUEST_STATES = 4;
    static final int REQUEST_SOURCE_PORT = 8;
    static final int REQUEST_DESTINATION_PORT = 10;
    static final int REQUEST_SOURCE = 12;
    static final int REQUEST_DESTINATION = 28;
    static final int REQUEST_COOKIE = 48;

    /** The size of struct inet_diag_msg. */
    static final int SOCKET_BYTES = 72;

    static final int SOCKET_STATE = 1;
    static final int SOCKET_SOURCE_PORT = 4;
    static final int SOCKET_DESTINATION_PORT = 6;
    static final int SOCKET_SOURCE = 8;
    static final int SOCKET_DESTINATION = 24;
    static final int SOCKET_RECEIVE_QUEUE = 56;
    static final int SOCKET_SEND_QUEUE = 60;
    static final int SOCKET_USER = 64;
    static final int SOCKET_INODE = 68;

    static final int INET_DIAG_INFO = 2;
    static final int INET_DIAG_SKMEMINFO = 7;

    /** struct tcp_info of linux/tcp.h: the smoothed round-trip time in microseconds. */
    static final int TCP_INFO_ROUND_TRIP = 68;
    /** The segments that were retransmitted. */
    static final int TCP_INFO_RETRANSMISSIONS = 100;

    /** The size of struct packet_diag_req. */
    static final int PACKET_REQUEST_BYTES = 20;

    static final int PACKET_REQUEST_SHOW = 8;
    static final int PACKET_SHOW_INFO = 1;
    static final int PACKET_SHOW_RING_CFG = 4;
    static final int PACKET_SHOW_MEMINFO = 16;

    /** The size of struct packet_diag_msg. */
    static final int PACKET_BYTES = 16;

    static final int PACKET_INODE = 4;

    static final int PACKET_DIAG_INFO = 0;
    static final int PACKET_DIAG_RX_RING = 2;
    static final int PACKET_DIAG_UID = 5;
    static final int PACKET_DIAG_MEMINFO = 6;

    /** struct packet_diag_info. */
    static final int INFO_INTERFACE = 0;

    /** struct packet_diag_ring. */
    static final int RING_BLOCK_SIZE = 0;

    static final int RING_BLOCKS = 4;

    /** Indices into the array of 32-bit numbers on a socket's memory. */
    static final int SK_MEMINFO_RMEM_ALLOC = 0;

    static final int SK_MEMINFO_RCVBUF = 1;
    static final int SK_MEMINFO_WMEM_ALLOC = 2;
    static final int SK_MEMINFO_SNDBUF = 3;
    static final int SK_MEMINFO_DROPS = 8;

    private SockDiag() {}
}
