package io.offhook.doctor;

import io.offhook.linux.network.TcpSocket;
import org.jspecify.annotations.Nullable;

/**
 * A socket on a watched port, with its queues and counters.
 *
 * @param kind what it is
 * @param local its address and port
 * @param remote the address and port that it is connected to; empty if it is not connected
 * @param state the state of a TCP socket; null for UDP
 * @param process the name of the program that has it open; null if unknown
 * @param pid its process id; 0 if unknown
 * @param receive what its program has not read: bytes, with the kernel's overhead for UDP; of a listener, connections that it has
 *     not accepted
 * @param send what the network, or the peer, has not taken: bytes; nothing for a listener
 * @param drops packets that had no room, since the socket exists; of a listener, connections
 * @param dropsGrown those since the look before; in a total, since the first look
 * @param retransmissions the segments that TCP sent again, since the socket exists
 * @param retransmissionsGrown those since the look before; in a total, since the first look
 * @param roundTripUs TCP's smoothed round-trip time in microseconds; 0 if unknown
 */
public record PortSocket(
        Kind kind,
        String local,
        String remote,
        TcpSocket.@Nullable State state,
        @Nullable String process,
        long pid,
        Queue receive,
        Queue send,
        long drops,
        long dropsGrown,
        long retransmissions,
        long retransmissionsGrown,
        long roundTripUs) {
    /** What a socket is. */
    public enum Kind {
        /** A UDP socket. */
        UDP,
        /** A TCP socket that waits for connections. */
        LISTENER,
        /** A TCP connection. */
        CONNECTION
    }

    /**
     * A queue of a socket.
     *
     * @param waiting its length
     * @param before its length at the look before; in a total, at the first look
     * @param most its greatest length at any look
     * @param limit its greatest possible length; 0 if unknown, and for TCP connections, whose buffers grow
     */
    public record Queue(long waiting, long before, long most, long limit) {}

    /** Whether a queue or a counter differs from that of the look before. */
    public boolean hasChanged() {
        return receive.waiting() != receive.before()
                || send.waiting() != send.before()
                || dropsGrown > 0
                || retransmissionsGrown > 0;
    }

    /** For example {@code UDP 0.0.0.0:5060, kamailio (1234)}. */
    public String subject() {
        return (kind == Kind.UDP ? "UDP " : kind == Kind.LISTENER ? "TCP listener " : "TCP ")
                + local
                + (remote.isEmpty() ? "" : " to " + remote)
                + (process == null ? "" : ", " + process + " (" + pid + ")");
    }
}
