package io.offhook.linux.network;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.offhook.linux.LinuxException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A socket of any process in this network namespace that packets can wait in, as sock_diag(7) reports it; no capability
 * is needed. Its inode leads to its owner: {@code /proc/PID/fd} contains a link {@code socket:[inode]}.
 *
 * @param kind what it receives
 * @param local its address and port; empty for packet sockets
 * @param remote the address and port that it is connected to; empty if it is not connected
 * @param interfaceIndex the interface that a packet socket is bound to; 0 for all
 * @param owner its owner
 * @param memory the bytes waiting in it, and their limits
 * @param drops the packets that did not fit, or that a filter or checksum rejected, since it was created; packets that
 *     a ring had no room for are not included
 */
public record KernelSocket(
        Kind kind, String local, String remote, int interfaceIndex, Owner owner, Memory memory, long drops) {
    /**
     * The owner of a socket.
     *
     * @param inode the inode of the socket, never 0 in a process
     * @param user the number of the user who created it
     */
    public record Owner(long inode, long user) {}

    /**
     * The memory of a socket in bytes, including the kernel's overhead for each packet.
     *
     * @param receiveBytes the bytes waiting to be read
     * @param receiveLimit the most that may wait to be read: SO_RCVBUF
     * @param sendBytes the bytes not sent yet
     * @param sendLimit the most that may wait to be sent: SO_SNDBUF
     * @param ringBytes the size of the ring that a packet socket receives in; 0 without a ring
     */
    public record Memory(long receiveBytes, long receiveLimit, long sendBytes, long sendLimit, long ringBytes) {}

    /** What a socket receives. */
    public enum Kind {
        /** UDP over IPv4. */
        UDP,
        /** UDP over IPv6, and over IPv4 unless it is for IPv6 only. */
        UDP6,
        /** Frames of interfaces, as sniffers do. */
        PACKET
    }

    /** The most sockets kept of one answer; enough for any host this tool targets. */
    private static final int MOST = 1 << 20;

    /**
     * Returns all UDP sockets, over IPv4 and IPv6.
     *
     * @throws LinuxException ENOENT if the kernel has no udp_diag
     */
    public static List<KernelSocket> udp() {
        return udp(0);
    }

    /**
     * Returns the UDP sockets with a local or remote port.
     *
     * @param port 1 to 65535; 0 for all sockets
     * @throws LinuxException as above
     */
    public static List<KernelSocket> udp(int port) {
        int allStates = -1;
        return InternetSockets.dump(
                new InternetSockets.Question(SockDiag.IPPROTO_UDP, allStates, 1 << SockDiag.INET_DIAG_SKMEMINFO - 1),
                port,
                KernelSocket::udp);
    }

    /**
     * Returns all packet sockets.
     *
     * @throws LinuxException ENOENT if the kernel has no af_packet_diag
     */
    public static List<KernelSocket> packet() {
        List<KernelSocket> sockets = new ArrayList<>();
        Netlink.dump(
                SockDiag.NETLINK_SOCK_DIAG,
                SockDiag.SOCK_DIAG_BY_FAMILY,
                SockDiag.PACKET_REQUEST_BYTES,
                question -> {
                    question.set(JAVA_BYTE, 0, (byte) SockDiag.AF_PACKET);
                    Netlink.setU32(
                            question,
                            SockDiag.PACKET_REQUEST_SHOW,
                            SockDiag.PACKET_SHOW_INFO | SockDiag.PACKET_SHOW_RING_CFG | SockDiag.PACKET_SHOW_MEMINFO);
                },
                (type, body) -> {
                    if (type == SockDiag.SOCK_DIAG_BY_FAMILY
                            && body.byteSize() >= SockDiag.PACKET_BYTES
                            && sockets.size() < MOST) {
                        sockets.add(packet(body));
                    }
                });
        return List.copyOf(sockets);
    }

    private static KernelSocket udp(MemorySegment body) {
        InternetSockets.Ends ends = InternetSockets.ends(body);
        MemorySegment memory = Netlink.attribute(body, SockDiag.SOCKET_BYTES, SockDiag.INET_DIAG_SKMEMINFO);
        return new KernelSocket(
                ends.isIpv6() ? Kind.UDP6 : Kind.UDP,
                ends.local(),
                ends.remote(),
                0,
                InternetSockets.owner(body),
                memory(memory, 0),
                number(memory, SockDiag.SK_MEMINFO_DROPS));
    }

    /** The memory of an attribute of 32-bit numbers. */
    static Memory memory(MemorySegment memory, long ringBytes) {
        return new Memory(
                number(memory, SockDiag.SK_MEMINFO_RMEM_ALLOC),
                number(memory, SockDiag.SK_MEMINFO_RCVBUF),
                number(memory, SockDiag.SK_MEMINFO_WMEM_ALLOC),
                number(memory, SockDiag.SK_MEMINFO_SNDBUF),
                ringBytes);
    }

    private static KernelSocket packet(MemorySegment body) {
        MemorySegment memory = Netlink.attribute(body, SockDiag.PACKET_BYTES, SockDiag.PACKET_DIAG_MEMINFO);
        MemorySegment info = Netlink.attribute(body, SockDiag.PACKET_BYTES, SockDiag.PACKET_DIAG_INFO);
        MemorySegment ring = Netlink.attribute(body, SockDiag.PACKET_BYTES, SockDiag.PACKET_DIAG_RX_RING);
        MemorySegment user = Netlink.attribute(body, SockDiag.PACKET_BYTES, SockDiag.PACKET_DIAG_UID);
        return new KernelSocket(
                Kind.PACKET,
                "",
                "",
                (int) number(info, SockDiag.INFO_INTERFACE),
                new KernelSocket.Owner(
                        Integer.toUnsignedLong(Netlink.u32(body, SockDiag.PACKET_INODE)), number(user, 0)),
                memory(memory, number(ring, SockDiag.RING_BLOCK_SIZE / 4) * number(ring, SockDiag.RING_BLOCKS / 4)),
                number(memory, SockDiag.SK_MEMINFO_DROPS));
    }

    /** Returns one of the 32-bit numbers of an attribute; 0 if it is absent, as in older kernels. */
    static long number(MemorySegment attribute, int index) {
        long offset = index * (long) Integer.BYTES;
        return attribute.byteSize() < offset + Integer.BYTES
                ? 0
                : Integer.toUnsignedLong(Netlink.u32(attribute, offset));
    }
}
