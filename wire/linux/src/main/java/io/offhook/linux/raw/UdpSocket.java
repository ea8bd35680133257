package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.offhook.linux.LinuxException;
import io.offhook.linux.libc.NetinetIn;
import io.offhook.linux.libc.SysSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A UDP socket of one family: one for IPv6 receives nothing over IPv4. Addresses are two longs, IPv4 mapped to IPv6
 * (RFC 4291, 2.5.5.2). {@link ReceiveBatch} and {@link AddressedSendBatch} receive and send on it. Set options and bind
 * from one thread.
 */
public final class UdpSocket implements AutoCloseable {
    private static final int SOCKET_MEMORY_WORDS = 9;
    /** SK_MEMINFO_RMEM_ALLOC and SK_MEMINFO_DROPS of linux/sock_diag.h. */
    private static final int WAITING_WORD = 0;

    private static final int DROPS_WORD = 8;

    private final NativeSocket socket;
    private final boolean isIpv6;
    private boolean stampsArrivals;

    private UdpSocket(NativeSocket socket, boolean isIpv6) {
        this.socket = socket;
        this.isIpv6 = isIpv6;
    }

    /**
     * Opens a socket that is not bound yet.
     *
     * @param isIpv6 the family
     * @throws LinuxException EAFNOSUPPORT if the kernel has no IPv6
     */
    public static UdpSocket open(boolean isIpv6) {
        NativeSocket socket = NativeSocket.open(
                isIpv6 ? NetinetIn.AF_INET6 : NetinetIn.AF_INET, SysSocket.SOCK_DGRAM, 0, "open a UDP socket");
        try {
            if (isIpv6) {
                socket.set(NetinetIn.IPPROTO_IPV6, NetinetIn.IPV6_V6ONLY, 1, "restrict a UDP socket to IPv6");
            }
            return new UdpSocket(socket, isIpv6);
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Whether the socket is one of IPv6. */
    public boolean isIpv6() {
        return isIpv6;
    }

    /** The descriptor in this process. */
    public int descriptor() {
        return socket.descriptor();
    }

    /** SO_REUSEPORT: sockets of the same user that all have it may be bound to one address and share its datagrams. */
    public void shareAddress() {
        socket.set(SysSocket.SOL_SOCKET, SysSocket.SO_REUSEPORT, 1, "share the address of a UDP socket");
    }

    /**
     * SO_RCVBUF; with CAP_NET_ADMIN also above the limit {@code net.core.rmem_max}.
     *
     * @param bytes the bytes asked for
     * @return the bytes given, in the same unit: the kernel reports twice as many, for its overhead
     */
    public int receiveBuffer(int bytes) {
        return buffer(SysSocket.SO_RCVBUF, SysSocket.SO_RCVBUFFORCE, bytes);
    }

    /** SO_SNDBUF, as {@link #receiveBuffer(int)}. */
    public int sendBuffer(int bytes) {
        return buffer(SysSocket.SO_SNDBUF, SysSocket.SO_SNDBUFFORCE, bytes);
    }

    private int buffer(int option, int forced, int bytes) {
        try {
            socket.set(SysSocket.SOL_SOCKET, forced, bytes, "set the buffer of a UDP socket");
        } catch (LinuxException e) { // without the capability
            socket.set(SysSocket.SOL_SOCKET, option, bytes, "set the buffer of a UDP socket");
        }
        return socket.get(SysSocket.SOL_SOCKET, option, "read the buffer of a UDP socket") / 2;
    }

    /** The size of the receive buffer, in the unit of {@link #receiveBuffer(int)}. */
    public int receiveBuffer() {
        return socket.get(SysSocket.SOL_SOCKET, SysSocket.SO_RCVBUF, "read the buffer of a UDP socket") / 2;
    }

    /** IP_RECVERR, IPV6_RECVERR: keeps ICMP errors for sent datagrams, to be received by {@link ReceiveBatch}. */
    public void reportErrors() {
        socket.set(
                level(), isIpv6 ? NetinetIn.IPV6_RECVERR : NetinetIn.IP_RECVERR, 1, "ask for errors of a UDP socket");
    }

    /** IP_PKTINFO, IPV6_RECVPKTINFO: reports the address that each datagram was sent to. */
    public void reportDestinations() {
        socket.set(
                level(),
                isIpv6 ? NetinetIn.IPV6_RECVPKTINFO : NetinetIn.IP_PKTINFO,
                1,
                "ask for the local addresses of a UDP socket");
    }

    /**
     * SO_TIMESTAMPNS: the kernel reports when each datagram arrived, for {@link ReceiveBatch#waitedNs}. Before this is asked
     * for, and where it is refused, nothing is reported.
     *
     * @return whether the kernel does
     */
    public boolean stampArrivals() {
        try {
            socket.set(SysSocket.SOL_SOCKET, SysSocket.SO_TIMESTAMPNS, 1, "ask for the arrival times of a UDP socket");
            stampsArrivals = true;
        } catch (LinuxException e) { // kernels that only imitate Linux may not have it
            stampsArrivals = false;
        }
        return stampsArrivals;
    }

    /** Whether the kernel reports when datagrams arrived. */
    public boolean stampsArrivals() {
        return stampsArrivals;
    }

    /**
     * IP_TOS, IPV6_TCLASS: the traffic class of what is sent.
     *
     * @param dscp the differentiated services code point, 0 to 63
     */
    public void trafficClass(int dscp) {
        socket.set(
                level(), isIpv6 ? NetinetIn.IPV6_TCLASS : NetinetIn.IP_TOS, dscp << 2, "set the class of a UDP socket");
    }

    /** Sets an int option. */
    void set(int level, int option, int value, String what) {
        socket.set(level, option, value, what);
    }

    private int level() {
        return isIpv6 ? NetinetIn.IPPROTO_IPV6 : NetinetIn.IPPROTO_IP;
    }

    /**
     * Binds the socket.
     *
     * @param high the first half of the address
     * @param low the second half
     * @param port 0 for one that the kernel chooses
     * @param scope the index of the interface of a link-local address, otherwise 0
     * @param what the purpose, for messages
     */
    public void bind(long high, long low, int port, int scope, String what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(InternetAddresses.bytes(isIpv6), Long.BYTES);
            InternetAddresses.write(address, 0, isIpv6, high, low, port, scope);
            socket.bind(address, what);
        }
    }

    /** The port that the socket is bound to. */
    public int port() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(NetinetIn.IPV6_BYTES, Long.BYTES);
            socket.address(address, "read the address of a UDP socket");
            return InternetAddresses.port(address, 0);
        }
    }

    /** SO_MEMINFO: the datagrams that found no room in the receive buffer so far, or had a wrong checksum. */
    public long drops() {
        return memory(DROPS_WORD);
    }

    /** SO_MEMINFO: the bytes that wait to be received, with the kernel's overhead. */
    public long waitingBytes() {
        return memory(WAITING_WORD);
    }

    private long memory(int word) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment words = arena.allocate(JAVA_INT, SOCKET_MEMORY_WORDS);
            socket.get(SysSocket.SOL_SOCKET, SysSocket.SO_MEMINFO, words, "read the memory of a UDP socket");
            return Integer.toUnsignedLong(words.getAtIndex(JAVA_INT, word));
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
