package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.offhook.linux.libc.NetinetIn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Writes and reads struct sockaddr_in and struct sockaddr_in6. IPv4 addresses are mapped to IPv6 (RFC 4291, 2.5.5.2), so
 * that an address is two longs in both families.
 */
final class InternetAddresses {
    private static final ValueLayout.OfShort PORT = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt IPV4 = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong HALF = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long MAPPED = 0xffffL << 32;

    private InternetAddresses() {}

    /** The size of the structure of a family. */
    static int bytes(boolean isIpv6) {
        return isIpv6 ? NetinetIn.IPV6_BYTES : NetinetIn.IPV4_BYTES;
    }

    static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /**
     * Writes an address of the family {@code isIpv6}.
     *
     * @param to where the structure begins, with room for {@link #bytes}
     */
    static void write(MemorySegment to, long at, boolean isIpv6, long high, long low, int port, int scope) {
        to.set(JAVA_SHORT, at, (short) (isIpv6 ? NetinetIn.AF_INET6 : NetinetIn.AF_INET));
        to.set(PORT, at + NetinetIn.PORT, (short) port);
        if (isIpv6) {
            to.set(HALF, at + NetinetIn.IPV6_ADDRESS, high);
            to.set(HALF, at + NetinetIn.IPV6_ADDRESS + Long.BYTES, low);
            to.set(ValueLayout.JAVA_INT, at + NetinetIn.IPV6_SCOPE, scope);
        } else {
            to.set(IPV4, at + NetinetIn.IPV4_ADDRESS, (int) low);
        }
    }

    static int port(MemorySegment from, long at) {
        return from.get(PORT, at + NetinetIn.PORT) & 0xffff;
    }

    static long high(MemorySegment from, long at) {
        return isIpv6(from, at) ? from.get(HALF, at + NetinetIn.IPV6_ADDRESS) : 0;
    }

    static long low(MemorySegment from, long at) {
        return isIpv6(from, at)
                ? from.get(HALF, at + NetinetIn.IPV6_ADDRESS + Long.BYTES)
                : mapped(from, at + NetinetIn.IPV4_ADDRESS);
    }

    static int scope(MemorySegment from, long at) {
        return isIpv6(from, at) ? from.get(ValueLayout.JAVA_INT, at + NetinetIn.IPV6_SCOPE) : 0;
    }

    /** The lower half of an IPv4 address in memory. */
    static long mapped(MemorySegment from, long at) {
        return MAPPED | from.get(IPV4, at) & 0xffff_ffffL;
    }

    /** One half of an IPv6 address in memory. */
    static long half(MemorySegment from, long at) {
        return from.get(HALF, at);
    }

    static void setMapped(MemorySegment to, long at, long low) {
        to.set(IPV4, at, (int) low);
    }

    static void setHalf(MemorySegment to, long at, long half) {
        to.set(HALF, at, half);
    }

    private static boolean isIpv6(MemorySegment from, long at) {
        return from.get(JAVA_SHORT, at) == NetinetIn.AF_INET6;
    }
}
