package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.linux.libc.NetinetIn;
import io.offhook.linux.libc.SysSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Datagrams of one socket for a single call of sendmmsg(2), each to an address of its own. They are copied when they are
 * added, and stay until they were sent or dropped. Not thread-safe.
 */
public final class AddressedSendBatch implements AutoCloseable {
    /** The longest datagram, with which an IPv4 packet has 65,535 bytes. */
    public static final int MAX_LENGTH = 65_507;

    private static final int NAME_BYTES = 32;
    /** Room for a header and struct in6_pktinfo, padded. */
    private static final int CONTROL_BYTES = 40;

    private final boolean isIpv6;
    private final int capacity;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment messages;
    private final MemorySegment vectors;
    private final MemorySegment names;
    private final MemorySegment controls;
    private final MemorySegment octets;
    private int first;
    private int count;
    private long end;

    /**
     * Creates an empty batch.
     *
     * @param isIpv6 the family of the socket
     * @param capacity the most datagrams, 1 to 1024
     * @param octetCapacity the most bytes of all datagrams together, at least {@link #MAX_LENGTH}
     */
    public AddressedSendBatch(boolean isIpv6, int capacity, int octetCapacity) {
        if (capacity < 1 || capacity > 1024) {
            throw new IllegalArgumentException("capacity " + capacity + " is outside 1 to 1024");
        }
        if (octetCapacity < MAX_LENGTH) {
            throw new IllegalArgumentException("octetCapacity " + octetCapacity + " is less than " + MAX_LENGTH);
        }
        this.isIpv6 = isIpv6;
        this.capacity = capacity;
        messages = arena.allocate((long) capacity * SysSocket.MESSAGE_BYTES, Long.BYTES);
        vectors = arena.allocate((long) capacity * SysSocket.VECTOR_BYTES, Long.BYTES);
        names = arena.allocate((long) capacity * NAME_BYTES, Long.BYTES);
        controls = arena.allocate((long) capacity * CONTROL_BYTES, Long.BYTES);
        octets = arena.allocate(octetCapacity, Long.BYTES);
        for (int i = 0; i < capacity; i++) {
            long at = (long) i * SysSocket.MESSAGE_BYTES;
            messages.set(JAVA_LONG, at + SysSocket.MESSAGE_NAME, names.address() + (long) i * NAME_BYTES);
            messages.set(JAVA_INT, at + SysSocket.MESSAGE_NAME_LENGTH, InternetAddresses.bytes(isIpv6));
            messages.set(
                    JAVA_LONG, at + SysSocket.MESSAGE_VECTORS, vectors.address() + (long) i * SysSocket.VECTOR_BYTES);
            messages.set(JAVA_LONG, at + SysSocket.MESSAGE_VECTOR_COUNT, 1);
            messages.set(JAVA_LONG, at + SysSocket.MESSAGE_CONTROL, controls.address() + (long) i * CONTROL_BYTES);
            writeControlHeader((long) i * CONTROL_BYTES);
        }
    }

    private void writeControlHeader(long at) {
        int bytes = isIpv6 ? NetinetIn.PKTINFO6_BYTES : NetinetIn.PKTINFO_BYTES;
        controls.set(JAVA_LONG, at, SysSocket.CONTROL_BYTES + bytes);
        controls.set(JAVA_INT, at + SysSocket.CONTROL_LEVEL, isIpv6 ? NetinetIn.IPPROTO_IPV6 : NetinetIn.IPPROTO_IP);
        controls.set(JAVA_INT, at + SysSocket.CONTROL_TYPE, isIpv6 ? NetinetIn.IPV6_PKTINFO : NetinetIn.IP_PKTINFO);
    }

    /** The number of datagrams that were neither sent nor dropped. */
    public int pending() {
        return count - first;
    }

    /** Whether a datagram of this length can be added. */
    public boolean hasRoom(int length) {
        return pending() < capacity && octets.byteSize() - (end - start()) >= length;
    }

    /** The offset of the first pending datagram. */
    private long start() {
        return first == count ? end : vectors.get(JAVA_LONG, vector(first)) - octets.address();
    }

    /**
     * Adds a datagram that the kernel chooses the source address for.
     *
     * @param source the array that holds it
     * @param offset where it begins
     * @param length its length in bytes, for which the batch {@linkplain #hasRoom has room}
     */
    public void add(byte[] source, int offset, int length) {
        if (!hasRoom(length)) {
            throw new IllegalStateException("the batch has no room for " + length + " bytes: it holds " + pending()
                    + " of " + capacity + " datagrams");
        }
        if (first == count) {
            first = 0;
            count = 0;
            end = 0;
        } else if (count == capacity || octets.byteSize() - end < length) {
            compact();
        }
        MemorySegment.copy(source, offset, octets, JAVA_BYTE, end, length);
        long vector = vector(count);
        vectors.set(JAVA_LONG, vector, octets.address() + end);
        vectors.set(JAVA_LONG, vector + SysSocket.VECTOR_LENGTH, length);
        messages.set(JAVA_LONG, message(count) + SysSocket.MESSAGE_CONTROL_LENGTH, 0);
        end += length;
        count++;
    }

    /** Sets the destination of the datagram that was added last. */
    public void to(long high, long low, int port, int scope) {
        InternetAddresses.write(names, name(count - 1), isIpv6, high, low, port, scope);
    }

    /** Sets the source address of the datagram that was added last: one of this machine. */
    public void from(long high, long low) {
        long at = (count - 1L) * CONTROL_BYTES + SysSocket.CONTROL_BYTES;
        if (isIpv6) {
            InternetAddresses.setHalf(controls, at, high);
            InternetAddresses.setHalf(controls, at + Long.BYTES, low);
        } else {
            InternetAddresses.setMapped(controls, at + NetinetIn.PKTINFO_LOCAL, low);
        }
        messages.set(
                JAVA_LONG,
                message(count - 1) + SysSocket.MESSAGE_CONTROL_LENGTH,
                // as CMSG_SPACE has it: the data is padded
                isIpv6 ? CONTROL_BYTES : CONTROL_BYTES - Long.BYTES);
    }

    /** Moves what is pending to the beginning. */
    private void compact() {
        long start = start();
        MemorySegment.copy(octets, start, octets, 0, end - start);
        end -= start;
        for (int to = 0, from = first; from < count; to++, from++) {
            vectors.set(JAVA_LONG, vector(to), vectors.get(JAVA_LONG, vector(from)) - start);
            long lengthAt = SysSocket.VECTOR_LENGTH;
            vectors.set(JAVA_LONG, vector(to) + lengthAt, vectors.get(JAVA_LONG, vector(from) + lengthAt));
            MemorySegment.copy(names, name(from), names, name(to), NAME_BYTES);
            MemorySegment.copy(
                    controls, (long) from * CONTROL_BYTES, controls, (long) to * CONTROL_BYTES, CONTROL_BYTES);
            long control = SysSocket.MESSAGE_CONTROL_LENGTH;
            messages.set(JAVA_LONG, message(to) + control, messages.get(JAVA_LONG, message(from) + control));
        }
        count -= first;
        first = 0;
    }

    /**
     * Sends what is pending, without waiting.
     *
     * @return how many datagrams were sent, which are no longer pending; or a negative errno: EAGAIN if the kernel has no
     *     room; otherwise the error of the first datagram, or a pending error of the socket, which the next call no longer
     *     reports
     */
    public int send(UdpSocket socket) {
        int sent = SysSocket.sendmmsg(
                socket.descriptor(), messages.address() + message(first), count - first, SysSocket.MSG_DONTWAIT);
        if (sent > 0) {
            first += sent;
        }
        return sent;
    }

    /** Removes the first datagram that is pending. Returns its length in bytes. */
    public int dropFirst() {
        return (int) vectors.get(JAVA_LONG, vector(first++) + SysSocket.VECTOR_LENGTH);
    }

    /** The first half of the destination of the first datagram that is pending. */
    public long destinationHigh() {
        return InternetAddresses.high(names, name(first));
    }

    /** The second half of that destination. */
    public long destinationLow() {
        return InternetAddresses.low(names, name(first));
    }

    /** The port of that destination. */
    public int destinationPort() {
        return InternetAddresses.port(names, name(first));
    }

    /** The interface of that destination. */
    public int destinationScope() {
        return InternetAddresses.scope(names, name(first));
    }

    private static long message(int i) {
        return (long) i * SysSocket.MESSAGE_BYTES;
    }

    private static long vector(int i) {
        return (long) i * SysSocket.VECTOR_BYTES;
    }

    private static long name(int i) {
        return (long) i * NAME_BYTES;
    }

    @Override
    public void close() {
        arena.close();
    }
}
