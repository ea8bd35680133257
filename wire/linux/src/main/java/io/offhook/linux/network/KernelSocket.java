package io.offhook.linux.network;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.offhook.linux.LinuxException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * A socket of any process of this network namespace that packets wait in, as the kernel tells of it by sock_diag(7);
 * needs no capability. Whose it is, is found by its inode: {@code /proc/PID/fd} has a link {@code socket:[inode]}.
 *
 * @param kind what comes to it
 * @param local address and port; empty for packet sockets
 * @param remote address and port that it is connected to; empty where it is not
 * @param interfaceIndex that a packet socket is bound to, 0 for all
 * @param owner whose it is
 * @param memory what waits in it, and how much may
 * @param drops packets that did not fit, or were refused by a filter or checksum, since it was made; those that a ring had
 *     no room for are not among them
 */
public record KernelSocket(
        Kind kind, String local, String remote, int interfaceIndex, Owner owner, Memory memory, long drops) {
    /**
     * Whose a socket is.
     *
     * @param inode its number, never 0 in a process
     * @param user number of the user who made it
     */
    public record Owner(long inode, long user) {}

    /**
     * What a socket keeps, in bytes, with what the kernel needs for each packet.
     *
     * @param receiveBytes waiting to be read
     * @param receiveLimit how much may wait: SO_RCVBUF
     * @param sendBytes not sent yet
     * @param sendLimit how much may wait: SO_SNDBUF
     * @param ringBytes of the ring that a packet socket receives in, 0 without one
     */
    public record Memory(long receiveBytes, long receiveLimit, long sendBytes, long sendLimit, long ringBytes) {}

    /** What comes to a socket. */
    public enum Kind {
        /** UDP over IPv4. */
        UDP,
        /** UDP over IPv6, and over IPv4 where it is not for IPv6 only. */
        UDP6,
        /** Frames of interfaces: sniffers. */
        PACKET
    }

    /** What is kept of one answer; one who has more sockets has other worries. */
    private static final int MOST = 1 << 20;

    /**
     * All UDP sockets, over IPv4 or IPv6.
     *
     * @throws LinuxException ENOENT where the kernel has no udp_diag
     */
    public static List<KernelSocket> udp() {
        List<KernelSocket> sockets = new ArrayList<>();
        for (int family : new int[] {SockDiag.AF_INET, SockDiag.AF_INET6}) {
            Netlink.dump(
                    SockDiag.NETLINK_SOCK_DIAG,
                    SockDiag.SOCK_DIAG_BY_FAMILY,
                    SockDiag.REQUEST_BYTES,
                    question -> {
                        question.set(JAVA_BYTE, 0, (byte) family);
                        question.set(JAVA_BYTE, SockDiag.REQUEST_PROTOCOL, (byte) SockDiag.IPPROTO_UDP);
                        question.set(
                                JAVA_BYTE, SockDiag.REQUEST_EXTENSIONS, (byte) (1 << SockDiag.INET_DIAG_SKMEMINFO - 1));
                        Netlink.setU32(question, SockDiag.REQUEST_STATES, -1);
                    },
                    (type, body) -> {
                        if (type == SockDiag.SOCK_DIAG_BY_FAMILY
                                && body.byteSize() >= SockDiag.SOCKET_BYTES
                                && sockets.size() < MOST) {
                            sockets.add(udp(body));
                        }
                    });
        }
        return List.copyOf(sockets);
    }

    /**
     * All packet sockets.
     *
     * @throws LinuxException ENOENT where the kernel has no af_packet_diag
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
        boolean isIpv6 = Netlink.u8(body, 0) == SockDiag.AF_INET6;
        int addressBytes = isIpv6 ? 16 : 4;
        MemorySegment memory = Netlink.attribute(body, SockDiag.SOCKET_BYTES, SockDiag.INET_DIAG_SKMEMINFO);
        int remotePort = port(body, SockDiag.SOCKET_DESTINATION_PORT);
        return new KernelSocket(
                isIpv6 ? Kind.UDP6 : Kind.UDP,
                endpoint(body.asSlice(SockDiag.SOCKET_SOURCE, addressBytes), port(body, SockDiag.SOCKET_SOURCE_PORT)),
                remotePort == 0 ? "" : endpoint(body.asSlice(SockDiag.SOCKET_DESTINATION, addressBytes), remotePort),
                0,
                new KernelSocket.Owner(
                        Integer.toUnsignedLong(Netlink.u32(body, SockDiag.SOCKET_INODE)),
                        Integer.toUnsignedLong(Netlink.u32(body, SockDiag.SOCKET_USER))),
                new KernelSocket.Memory(
                        number(memory, SockDiag.SK_MEMINFO_RMEM_ALLOC),
                        number(memory, SockDiag.SK_MEMINFO_RCVBUF),
                        number(memory, SockDiag.SK_MEMINFO_WMEM_ALLOC),
                        number(memory, SockDiag.SK_MEMINFO_SNDBUF),
                        0),
                number(memory, SockDiag.SK_MEMINFO_DROPS));
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
                new KernelSocket.Memory(
                        number(memory, SockDiag.SK_MEMINFO_RMEM_ALLOC),
                        number(memory, SockDiag.SK_MEMINFO_RCVBUF),
                        number(memory, SockDiag.SK_MEMINFO_WMEM_ALLOC),
                        number(memory, SockDiag.SK_MEMINFO_SNDBUF),
                        number(ring, SockDiag.RING_BLOCK_SIZE / 4) * number(ring, SockDiag.RING_BLOCKS / 4)),
                number(memory, SockDiag.SK_MEMINFO_DROPS));
    }

    /** One of the 32-bit numbers of an attribute; 0 where it is not there, as in older kernels. */
    private static long number(MemorySegment attribute, int index) {
        long offset = index * (long) Integer.BYTES;
        return attribute.byteSize() < offset + Integer.BYTES
                ? 0
                : Integer.toUnsignedLong(Netlink.u32(attribute, offset));
    }

    private static int port(MemorySegment body, int offset) {
        return Netlink.u8(body, offset) << 8 | Netlink.u8(body, offset + 1);
    }

    private static String endpoint(MemorySegment address, int port) {
        try {
            // an IPv4 address in an IPv6 one comes out as what it is
            String text = InetAddress.getByAddress(Netlink.bytes(address)).getHostAddress();
            return (text.indexOf(':') < 0 ? text : "[" + text + "]") + ":" + port;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + address.byteSize() + " bytes", e);
        }
    }
}
