package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.linux.libc.Errqueue;
import io.offhook.linux.libc.NetinetIn;
import io.offhook.linux.libc.SysSocket;
import io.offhook.linux.libc.TimeHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Datagrams received by a single call of recvmmsg(2), with the addresses of both sides; or the ICMP errors that the kernel
 * has kept for a socket. Not thread-safe. What it holds is valid until the next call.
 */
public final class ReceiveBatch implements AutoCloseable {
    /** Room for the arrival time, an error with the address of its reporter, and the local address. */
    private static final int CONTROL_BYTES = 192;
    /** Between slots, so that the first bytes of all datagrams do not compete for the same lines of the cache. */
    private static final int CACHE_LINE_BYTES = 64;

    private static final int NAME_BYTES = 32;
    private static final int NONE = -1;
    private static final long SECOND_NS = 1_000_000_000;

    private final int capacity;
    private final int maxLength;
    private final long slotBytes;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment messages;
    private final MemorySegment names;
    private final MemorySegment controls;
    private final MemorySegment octets;
    private final MemorySegment clock;
    /** When the last call returned, on the clock of the arrival times; 0 if the socket has none. */
    private long receivedNs;
    /** How many headers the kernel has overwritten. */
    private int used;

    /**
     * Creates an empty batch.
     *
     * @param capacity the most datagrams of a call, 1 to 1024
     * @param maxLength the longest datagram in bytes, 1 to 65535; longer ones are truncated
     */
    public ReceiveBatch(int capacity, int maxLength) {
        if (capacity < 1 || capacity > 1024) {
            throw new IllegalArgumentException("capacity " + capacity + " is outside 1 to 1024");
        }
        if (maxLength < 1 || maxLength > 65_535) {
            throw new IllegalArgumentException("maxLength " + maxLength + " is outside 1 to 65535");
        }
        this.capacity = capacity;
        this.maxLength = maxLength;
        slotBytes = (maxLength + CACHE_LINE_BYTES - 1L) / CACHE_LINE_BYTES * CACHE_LINE_BYTES + CACHE_LINE_BYTES;
        messages = arena.allocate((long) capacity * SysSocket.MESSAGE_BYTES, Long.BYTES);
        names = arena.allocate((long) capacity * NAME_BYTES, Long.BYTES);
        controls = arena.allocate((long) capacity * CONTROL_BYTES, Long.BYTES);
        octets = arena.allocate(capacity * slotBytes, CACHE_LINE_BYTES);
        clock = arena.allocate(TimeHeader.TIMESPEC_BYTES, Long.BYTES);
        MemorySegment vectors = arena.allocate((long) capacity * SysSocket.VECTOR_BYTES, Long.BYTES);
        for (long i = 0; i < capacity; i++) {
            long at = i * SysSocket.MESSAGE_BYTES;
            long vector = i * SysSocket.VECTOR_BYTES;
            vectors.set(JAVA_LONG, vector, octets.address() + i * slotBytes);
            vectors.set(JAVA_LONG, vector + SysSocket.VECTOR_LENGTH, maxLength);
            messages.set(JAVA_LONG, at + SysSocket.MESSAGE_NAME, names.address() + i * NAME_BYTES);
            messages.set(JAVA_LONG, at + SysSocket.MESSAGE_VECTORS, vectors.address() + vector);
            messages.set(JAVA_LONG, at + SysSocket.MESSAGE_VECTOR_COUNT, 1);
            messages.set(JAVA_LONG, at + SysSocket.MESSAGE_CONTROL, controls.address() + i * CONTROL_BYTES);
        }
        used = capacity;
    }

    /**
     * Receives the datagrams that have arrived, without waiting.
     *
     * @return the number of datagrams, or a negative errno: EAGAIN if there are none, or the pending error of the socket,
     *     which the next call no longer reports
     */
    public int receive(UdpSocket socket) {
        return receive(socket, SysSocket.MSG_DONTWAIT);
    }

    /**
     * Receives the errors of datagrams that were sent, without waiting. The source of such an entry is the address that
     * the datagram was sent to, its octets are the beginning of what was sent, if the error has it.
     *
     * @return the number of errors, or a negative errno: EAGAIN if there are none
     */
    public int receiveErrors(UdpSocket socket) {
        return receive(socket, SysSocket.MSG_DONTWAIT | SysSocket.MSG_ERRQUEUE);
    }

    private int receive(UdpSocket socket, int flags) {
        restoreLengths();
        int count = SysSocket.recvmmsg(socket.descriptor(), messages.address(), capacity, flags);
        // the header after the last one may be changed too, by the attempt that found nothing
        used = Math.min(capacity, Math.max(count, 0) + 1);
        receivedNs = count > 0 && socket.stampsArrivals() ? clockNs() : 0;
        return count;
    }

    private long clockNs() {
        TimeHeader.clockGettime(TimeHeader.CLOCK_REALTIME, clock);
        return timeNs(clock, 0);
    }

    private static long timeNs(MemorySegment time, long at) {
        return time.get(JAVA_LONG, at) * SECOND_NS + time.get(JAVA_LONG, at + TimeHeader.TIMESPEC_NANOSECONDS);
    }

    /** Apart from the system call: the compiler keeps a call without allocation where no loop surrounds it. */
    private void restoreLengths() {
        for (long i = 0; i < used; i++) {
            long at = i * SysSocket.MESSAGE_BYTES;
            messages.set(JAVA_INT, at + SysSocket.MESSAGE_NAME_LENGTH, NAME_BYTES);
            messages.set(JAVA_LONG, at + SysSocket.MESSAGE_CONTROL_LENGTH, CONTROL_BYTES);
        }
    }

    /** The most datagrams of a call. */
    public int capacity() {
        return capacity;
    }

    /** The length of datagram {@code i} in bytes; if it was truncated, of the part that was kept. */
    public int length(int i) {
        return Math.min(maxLength, messages.get(JAVA_INT, message(i) + SysSocket.MESSAGE_LENGTH));
    }

    /** Whether datagram {@code i} was longer than the longest that this batch holds. */
    public boolean isTruncated(int i) {
        return (messages.get(JAVA_INT, message(i) + SysSocket.MESSAGE_FLAGS) & SysSocket.MSG_TRUNC) != 0;
    }

    /**
     * Copies datagram {@code i}.
     *
     * @param target receives {@link #length} bytes from its beginning
     */
    public void copy(int i, byte[] target) {
        MemorySegment.copy(octets, JAVA_BYTE, i * slotBytes, target, 0, length(i));
    }

    /** The first half of the address that datagram {@code i} came from. */
    public long sourceHigh(int i) {
        return InternetAddresses.high(names, name(i));
    }

    /** The second half of the address that datagram {@code i} came from. */
    public long sourceLow(int i) {
        return InternetAddresses.low(names, name(i));
    }

    /** The port that datagram {@code i} came from. */
    public int sourcePort(int i) {
        return InternetAddresses.port(names, name(i));
    }

    /** The interface of a link-local source; otherwise 0. */
    public int sourceScope(int i) {
        return InternetAddresses.scope(names, name(i));
    }

    /**
     * How long datagram {@code i} waited from its arrival in the kernel until the call that received it returned, in ns; 0 if
     * the socket does not {@linkplain UdpSocket#stampArrivals report} arrivals, or the clock was set back meanwhile.
     */
    public long waitedNs(int i) {
        if (receivedNs == 0) {
            return 0;
        }
        int at = control(i, SysSocket.SOL_SOCKET, SysSocket.SO_TIMESTAMPNS, TimeHeader.TIMESPEC_BYTES);
        return at == NONE ? 0 : Math.max(receivedNs - timeNs(controls, at), 0);
    }

    /**
     * Where the local address of datagram {@code i} is, for {@link #destinationHigh} and {@link #destinationLow}; -1 if the
     * socket does not {@linkplain UdpSocket#reportDestinations report} it.
     */
    public int destination(int i) {
        int ipv4 = control(i, NetinetIn.IPPROTO_IP, NetinetIn.IP_PKTINFO, NetinetIn.PKTINFO_BYTES);
        return ipv4 != NONE
                ? ipv4
                : control(i, NetinetIn.IPPROTO_IPV6, NetinetIn.IPV6_PKTINFO, NetinetIn.PKTINFO6_BYTES);
    }

    /**
     * The first half of a local address.
     *
     * @param isIpv6 the family of the socket
     */
    public long destinationHigh(int destination, boolean isIpv6) {
        return isIpv6 ? InternetAddresses.half(controls, destination) : 0;
    }

    /** The second half of a local address. */
    public long destinationLow(int destination, boolean isIpv6) {
        return isIpv6
                ? InternetAddresses.half(controls, destination + Long.BYTES)
                : InternetAddresses.mapped(controls, destination + NetinetIn.PKTINFO_HEADER);
    }

    /**
     * The errno of entry {@code i} of {@link #receiveErrors}; 0 if the entry is not a failed delivery, but a report of
     * another kind.
     */
    public int errno(int i) {
        int at = control(i, NetinetIn.IPPROTO_IP, NetinetIn.IP_RECVERR, Errqueue.ERROR_BYTES);
        if (at == NONE) {
            at = control(i, NetinetIn.IPPROTO_IPV6, NetinetIn.IPV6_RECVERR, Errqueue.ERROR_BYTES);
        }
        if (at == NONE) {
            return 0;
        }
        int origin = controls.get(JAVA_BYTE, at + Errqueue.ERROR_ORIGIN);
        boolean isDelivery = origin >= Errqueue.SO_EE_ORIGIN_LOCAL && origin <= Errqueue.SO_EE_ORIGIN_ICMP6;
        return isDelivery ? controls.get(JAVA_INT, at + Errqueue.ERROR_ERRNO) : 0;
    }

    /** Whether entry {@code i} has an address: an error of the route may have none. */
    public boolean hasSource(int i) {
        return messages.get(JAVA_INT, message(i) + SysSocket.MESSAGE_NAME_LENGTH) >= NetinetIn.IPV4_BYTES;
    }

    /** Where the control data of a type is, in all of them; -1 if there is none. */
    private int control(int i, int level, int type, int bytes) {
        int at = i * CONTROL_BYTES;
        long length = messages.get(JAVA_LONG, message(i) + SysSocket.MESSAGE_CONTROL_LENGTH);
        int end = at + (int) Math.min(length, CONTROL_BYTES);
        while (end - at >= SysSocket.CONTROL_BYTES) {
            long entry = controls.get(JAVA_LONG, at);
            if (entry < SysSocket.CONTROL_BYTES || entry > end - at) {
                return NONE;
            }
            if (controls.get(JAVA_INT, at + SysSocket.CONTROL_LEVEL) == level
                    && controls.get(JAVA_INT, at + SysSocket.CONTROL_TYPE) == type
                    && entry - SysSocket.CONTROL_BYTES >= bytes) {
                return at + SysSocket.CONTROL_BYTES;
            }
            at += (int) (entry + Long.BYTES - 1 & -Long.BYTES);
        }
        return NONE;
    }

    private static long message(int i) {
        return (long) i * SysSocket.MESSAGE_BYTES;
    }

    private static long name(int i) {
        return (long) i * NAME_BYTES;
    }

    @Override
    public void close() {
        arena.close();
    }
}
