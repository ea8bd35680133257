package io.offhook.linux.network;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.offhook.linux.LinuxException;
import io.offhook.linux.raw.NativeSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * The bytes that wait in sockets of this network namespace, of any process, for whoever asks hundreds of times a second: one
 * netlink socket for all questions, and nothing else is asked for. UDP sockets are dumped, as several may share a port; a TCP
 * connection is looked up by its ends. Not thread-safe.
 */
public final class SocketQueues implements AutoCloseable {
    private static final int ENOENT = 2;
    private static final int NO_COOKIE = -1;
    private static final int ANY_PORT = -1;

    private final NativeSocket socket;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(Netlink.BUFFER_BYTES, Long.BYTES);
    private final MemorySegment dump = request(Netlink.NLM_F_REQUEST | Netlink.NLM_F_DUMP, SockDiag.IPPROTO_UDP);
    private final MemorySegment lookUp = request(Netlink.NLM_F_REQUEST, SockDiag.IPPROTO_TCP);

    /** Receives what waits in a socket. */
    public interface Visitor {
        /**
         * A socket.
         *
         * @param inode its inode
         * @param bytes that wait to be read: of UDP including the kernel's overhead for each datagram
         */
        void socket(long inode, long bytes);
    }

    /**
     * Opens the netlink socket.
     *
     * @throws LinuxException if the kernel refuses
     */
    public SocketQueues() {
        socket = NativeSocket.open(
                Netlink.AF_NETLINK, Netlink.SOCK_RAW, SockDiag.NETLINK_SOCK_DIAG, "open a netlink socket");
    }

    private MemorySegment request(int flags, int protocol) {
        MemorySegment message = Netlink.request(arena, SockDiag.SOCK_DIAG_BY_FAMILY, flags, SockDiag.REQUEST_BYTES);
        MemorySegment body = message.asSlice(Netlink.HEADER);
        body.set(JAVA_BYTE, SockDiag.REQUEST_PROTOCOL, (byte) protocol);
        Netlink.setU32(body, SockDiag.REQUEST_STATES, -1);
        Netlink.setU32(body, SockDiag.REQUEST_COOKIE, NO_COOKIE);
        Netlink.setU32(body, SockDiag.REQUEST_COOKIE + Integer.BYTES, NO_COOKIE);
        return message;
    }

    /**
     * Visits all UDP sockets, over IPv4 and IPv6.
     *
     * @throws LinuxException ENOENT if the kernel has no udp_diag
     */
    public void udp(Visitor visitor) {
        for (int family : new int[] {SockDiag.AF_INET, SockDiag.AF_INET6}) {
            dump.set(JAVA_BYTE, Netlink.HEADER, (byte) family);
            ask(dump, visitor);
        }
    }

    /**
     * Visits the TCP connection between two ends; nothing if there is none.
     *
     * @throws LinuxException if the kernel refuses
     */
    public void tcp(InetSocketAddress local, InetSocketAddress remote, Visitor visitor) {
        MemorySegment body = lookUp.asSlice(Netlink.HEADER);
        byte[] from = local.getAddress().getAddress();
        byte[] to = remote.getAddress().getAddress();
        if (from.length != to.length) {
            throw new IllegalArgumentException(local + " and " + remote + " are not of one family");
        }
        body.set(JAVA_BYTE, 0, (byte) (from.length == 4 ? SockDiag.AF_INET : SockDiag.AF_INET6));
        setPort(body, SockDiag.REQUEST_SOURCE_PORT, local.getPort());
        setPort(body, SockDiag.REQUEST_DESTINATION_PORT, remote.getPort());
        MemorySegment.copy(from, 0, body, JAVA_BYTE, SockDiag.REQUEST_SOURCE, from.length);
        MemorySegment.copy(to, 0, body, JAVA_BYTE, SockDiag.REQUEST_DESTINATION, to.length);
        try {
            Netlink.check(socket.send(lookUp, 0));
            receive(remote.getPort(), visitor); // not the socket that waits for connections
        } catch (LinuxException e) {
            if (e.errno() != ENOENT) {
                throw e;
            }
        }
    }

    private static void setPort(MemorySegment body, int offset, int port) {
        body.set(JAVA_BYTE, offset, (byte) (port >> 8));
        body.set(JAVA_BYTE, offset + 1L, (byte) port);
    }

    private void ask(MemorySegment message, Visitor visitor) {
        Netlink.check(socket.send(message, 0));
        boolean more = true;
        while (more) {
            more = receive(ANY_PORT, visitor);
        }
    }

    private boolean receive(int remotePort, Visitor visitor) {
        long bytes = Netlink.check(socket.receive(buffer, 0));
        return Netlink.visit(buffer.asSlice(0, bytes), (type, body) -> {
            if (type == SockDiag.SOCK_DIAG_BY_FAMILY
                    && body.byteSize() >= SockDiag.SOCKET_BYTES
                    && (remotePort == ANY_PORT || remotePort == InternetSockets.remotePort(body))) {
                visitor.socket(
                        Integer.toUnsignedLong(Netlink.u32(body, SockDiag.SOCKET_INODE)),
                        Integer.toUnsignedLong(Netlink.u32(body, SockDiag.SOCKET_RECEIVE_QUEUE)));
            }
        });
    }

    /** Closes the netlink socket. */
    @Override
    public void close() {
        socket.close();
        arena.close();
    }
}
