package io.offhook.linux.network;

import io.offhook.linux.LinuxException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A TCP socket of any process in this network namespace, as sock_diag(7) reports it; no capability is needed. Sockets in
 * TIME-WAIT and connections that are being established by a peer belong to no process, and are left out.
 *
 * @param state the state of the connection
 * @param local its address and port
 * @param remote the address and port of the peer; empty if it listens
 * @param owner its owner; the inode is 0 if the process has closed it already
 * @param receiveQueue bytes that the program has not read; of a listening socket, connections that it has not accepted
 * @param sendQueue bytes that the peer has not acknowledged; of a listening socket, the most connections that may wait
 * @param memory the bytes of memory in use, and their limits
 * @param drops segments dropped since it was created; of a listening socket, connections that had no room
 * @param roundTripUs the smoothed round-trip time in microseconds; 0 if unknown
 * @param retransmissions the segments sent again
 */
public record TcpSocket(
        State state,
        String local,
        String remote,
        KernelSocket.Owner owner,
        long receiveQueue,
        long sendQueue,
        KernelSocket.Memory memory,
        long drops,
        long roundTripUs,
        long retransmissions) {
    /** The states of RFC 9293, 3.3.2, in the order of the kernel: TCP_... of net/tcp_states.h, from 1. */
    public enum State {
        /** Data may flow both ways. */
        ESTABLISHED,
        /** A connection was asked for. */
        SYN_SENT,
        /** A peer asks for a connection. */
        SYN_RECEIVED,
        /** Closed here; what was sent is not acknowledged yet. */
        FIN_WAIT_1,
        /** Closed here; the peer may still send. */
        FIN_WAIT_2,
        /** Closed; late segments are waited for. */
        TIME_WAIT,
        /** No connection. */
        CLOSED,
        /** Closed by the peer; the program has not closed it yet. */
        CLOSE_WAIT,
        /** Closed by both sides, the peer first; what was sent is not acknowledged yet. */
        LAST_ACK,
        /** Waits for connections. */
        LISTEN,
        /** Closed by both sides at once. */
        CLOSING;

        private static final List<State> ALL = List.of(values());

        private static State of(int number) {
            return number >= 1 && number <= ALL.size() ? ALL.get(number - 1) : CLOSED;
        }

        private int bit() {
            return 1 << ALL.indexOf(this) + 1;
        }
    }

    /** Those that have a socket of a process. */
    private static final int STATES = State.ESTABLISHED.bit()
            | State.SYN_SENT.bit()
            | State.FIN_WAIT_1.bit()
            | State.FIN_WAIT_2.bit()
            | State.CLOSE_WAIT.bit()
            | State.LAST_ACK.bit()
            | State.LISTEN.bit()
            | State.CLOSING.bit();

    private static final int EXTENSIONS = 1 << SockDiag.INET_DIAG_SKMEMINFO - 1 | 1 << SockDiag.INET_DIAG_INFO - 1;

    /** Whether it waits for connections. */
    public boolean isListening() {
        return state == State.LISTEN;
    }

    /**
     * Returns the TCP sockets with a local or remote port.
     *
     * @param port 1 to 65535; 0 for all sockets
     * @throws LinuxException ENOENT if the kernel has no tcp_diag
     */
    public static List<TcpSocket> onPort(int port) {
        return InternetSockets.dump(
                new InternetSockets.Question(SockDiag.IPPROTO_TCP, STATES, EXTENSIONS), port, TcpSocket::tcp);
    }

    private static TcpSocket tcp(MemorySegment body) {
        InternetSockets.Ends ends = InternetSockets.ends(body);
        MemorySegment memory = Netlink.attribute(body, SockDiag.SOCKET_BYTES, SockDiag.INET_DIAG_SKMEMINFO);
        MemorySegment info = Netlink.attribute(body, SockDiag.SOCKET_BYTES, SockDiag.INET_DIAG_INFO);
        State state = State.of(Netlink.u8(body, SockDiag.SOCKET_STATE));
        boolean isListening = state == State.LISTEN;
        return new TcpSocket(
                state,
                ends.local(),
                ends.remote(),
                InternetSockets.owner(body),
                Integer.toUnsignedLong(Netlink.u32(body, SockDiag.SOCKET_RECEIVE_QUEUE)),
                Integer.toUnsignedLong(Netlink.u32(body, SockDiag.SOCKET_SEND_QUEUE)),
                KernelSocket.memory(memory, 0),
                KernelSocket.number(memory, SockDiag.SK_MEMINFO_DROPS),
                isListening ? 0 : KernelSocket.number(info, SockDiag.TCP_INFO_ROUND_TRIP / Integer.BYTES),
                isListening ? 0 : KernelSocket.number(info, SockDiag.TCP_INFO_RETRANSMISSIONS / Integer.BYTES));
    }
}
