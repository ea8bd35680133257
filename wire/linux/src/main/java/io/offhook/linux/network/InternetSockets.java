package io.offhook.linux.network;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Asks for sockets of the Internet protocols by sock_diag(7), and reads what all of them have in common. */
final class InternetSockets {
    /** The most sockets kept of one answer; enough for any host this tool targets. */
    private static final int MOST = 1 << 20;

    private InternetSockets() {}

    /**
     * Which sockets are asked for.
     *
     * @param protocol IPPROTO_...
     * @param states a bit for each state
     * @param extensions a bit for each attribute to be reported
     */
    record Question(int protocol, int states, int extensions) {}

    /** The ends of a socket, as text; the remote one is empty if it is not connected. */
    record Ends(boolean isIpv6, String local, String remote) {}

    /**
     * Returns sockets, over IPv4 and IPv6.
     *
     * @param port the local or remote port; 0 for all
     */
    static <T> List<T> dump(Question question, int port, Function<MemorySegment, T> reader) {
        List<T> sockets = new ArrayList<>();
        for (int family : new int[] {SockDiag.AF_INET, SockDiag.AF_INET6}) {
            dump(question, family, SockDiag.REQUEST_SOURCE_PORT, port, body -> {
                if (sockets.size() < MOST) {
                    sockets.add(reader.apply(body));
                }
            });
            if (port != 0) {
                dump(question, family, SockDiag.REQUEST_DESTINATION_PORT, port, body -> {
                    // those with the port at both ends are there already
                    if (sockets.size() < MOST && port(body, SockDiag.SOCKET_SOURCE_PORT) != port) {
                        sockets.add(reader.apply(body));
                    }
                });
            }
        }
        return List.copyOf(sockets);
    }

    /** Receives the answer for one socket. */
    private interface Visitor {
        void socket(MemorySegment body);
    }

    private static void dump(Question asked, int family, int portOffset, int port, Visitor visitor) {
        Netlink.dump(
                SockDiag.NETLINK_SOCK_DIAG,
                SockDiag.SOCK_DIAG_BY_FAMILY,
                SockDiag.REQUEST_BYTES,
                question -> {
                    question.set(JAVA_BYTE, 0, (byte) family);
                    question.set(JAVA_BYTE, SockDiag.REQUEST_PROTOCOL, (byte) asked.protocol());
                    question.set(JAVA_BYTE, SockDiag.REQUEST_EXTENSIONS, (byte) asked.extensions());
                    question.set(JAVA_BYTE, portOffset, (byte) (port >> 8));
                    question.set(JAVA_BYTE, portOffset + 1, (byte) port);
                    Netlink.setU32(question, SockDiag.REQUEST_STATES, asked.states());
                },
                (type, body) -> {
                    if (type == SockDiag.SOCK_DIAG_BY_FAMILY && body.byteSize() >= SockDiag.SOCKET_BYTES) {
                        visitor.socket(body);
                    }
                });
    }

    static Ends ends(MemorySegment body) {
        boolean isIpv6 = Netlink.u8(body, 0) == SockDiag.AF_INET6;
        int addressBytes = isIpv6 ? 16 : 4;
        int remotePort = remotePort(body);
        return new Ends(
                isIpv6,
                endpoint(body.asSlice(SockDiag.SOCKET_SOURCE, addressBytes), port(body, SockDiag.SOCKET_SOURCE_PORT)),
                remotePort == 0 ? "" : endpoint(body.asSlice(SockDiag.SOCKET_DESTINATION, addressBytes), remotePort));
    }

    static KernelSocket.Owner owner(MemorySegment body) {
        return new KernelSocket.Owner(
                Integer.toUnsignedLong(Netlink.u32(body, SockDiag.SOCKET_INODE)),
                Integer.toUnsignedLong(Netlink.u32(body, SockDiag.SOCKET_USER)));
    }

    /** The port at the other end; 0 if it is not connected. */
    static int remotePort(MemorySegment body) {
        return port(body, SockDiag.SOCKET_DESTINATION_PORT);
    }

    private static int port(MemorySegment body, int offset) {
        return Netlink.u8(body, offset) << 8 | Netlink.u8(body, offset + 1);
    }

    private static String endpoint(MemorySegment address, int port) {
        try {
            // an IPv4-mapped IPv6 address is returned as IPv4
            String text = InetAddress.getByAddress(Netlink.bytes(address)).getHostAddress();
            return (text.indexOf(':') < 0 ? text : "[" + text + "]") + ":" + port;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + address.byteSize() + " bytes", e);
        }
    }
}
