package io.offhook.packet;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * An IPv4 or IPv6 address, owned. IPv4 addresses are stored as IPv4-mapped IPv6 addresses (RFC 4291, 2.5.5.2), so that
 * both families are two longs and compare equally.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record IpAddress(long high, long low) {
    private static final long V4_PREFIX = 0xffffL << 32;
    private static final int GROUPS = 8;
    /** Eight groups of four digits, the last two of them as an IPv4 address. */
    private static final int MAX_LENGTH = 45;

    /**
     * An address of IPv4, mapped to IPv6.
     *
     * @param bits its 32 bits
     */
    public static IpAddress ofIpv4(int bits) {
        return new IpAddress(0, V4_PREFIX | (bits & 0xffff_ffffL));
    }

    /**
     * Reads an address as text: dotted decimal, and the forms of RFC 4291, 2.2; null if the text is none. No name is
     * looked up, and nothing else is read: no zone, no brackets, no port, no prefix length, and none of the old forms
     * with fewer than four numbers, which mean what few expect.
     */
    public static @Nullable IpAddress parse(String text) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        if (text.indexOf(':') >= 0) {
            return ipv6(text);
        }
        long ipv4 = ipv4(text, 0, text.length());
        return ipv4 < 0 ? null : ofIpv4((int) ipv4);
    }

    /** The same address as the JDK has it; a zone of IPv6 is left out. */
    public static IpAddress of(InetAddress address) {
        byte[] octets = address.getAddress();
        if (octets.length == 4) {
            return ofIpv4((int) number(octets, 0, 4));
        }
        return new IpAddress(number(octets, 0, 8), number(octets, 8, 8));
    }

    private static long number(byte[] octets, int offset, int length) {
        long number = 0;
        for (int i = 0; i < length; i++) {
            number = number << 8 | octets[offset + i] & 0xff;
        }
        return number;
    }

    /** The same address for the JDK's classes; no name is looked up. */
    public InetAddress toInetAddress() {
        byte[] octets = new byte[isIpv4() ? 4 : 16];
        for (int i = 0; i < octets.length; i++) {
            int right = 8 * (octets.length - 1 - i);
            octets[i] = (byte) (right >= 64 ? high >>> right - 64 : low >>> right);
        }
        try {
            return InetAddress.getByAddress(octets);
        } catch (UnknownHostException e) { // 4 and 16 octets are addresses
            throw new IllegalStateException("no address of " + octets.length + " octets", e);
        }
    }

    /** Whether it is one of IPv4, mapped. */
    public boolean isIpv4() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** 0.0.0.0 or ::. */
    public boolean isUnspecified() {
        return high == 0 && (low == 0 || low == V4_PREFIX);
    }

    /** Whether it is of this host alone: 127.0.0.0/8 (RFC 1122, 3.2.1.3) or ::1 (RFC 4291, 2.5.3). */
    public boolean isLoopback() {
        return isLoopback(high, low);
    }

    /** As {@link #isLoopback()}, of an address that is two numbers. */
    public static boolean isLoopback(long high, long low) {
        return high == 0 && (low == 1 || low >>> 24 == 0xff_ff7fL);
    }

    // written out: what the compiler makes of a record is linked at its first use, which takes tens of milliseconds

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IpAddress that && high == that.high && low == that.low;
    }

    @Override
    public int hashCode() {
        long mixed = (high * 31 + low) * 0x9e3779b97f4a7c15L;
        return (int) (mixed ^ mixed >>> 32);
    }

    /** Dotted decimal, or IPv6 in the canonical form of RFC 5952, without brackets. */
    @Override
    public String toString() {
        return isIpv4() ? ipv4Text(low) : ipv6Text(high, low);
    }

    /** The text of the lower 32 bits as IPv4: dotted decimal. */
    public static String ipv4Text(long address) {
        int bits = (int) address;
        return (bits >>> 24) + "." + (bits >>> 16 & 0xff) + "." + (bits >>> 8 & 0xff) + "." + (bits & 0xff);
    }

    /**
     * The text of two longs as IPv6 even where they are an IPv4-mapped address. RFC 5952: lower case, no leading zeros,
     * the first longest run of two or more zero groups becomes "::".
     */
    public static String ipv6Text(long high, long low) {
        int[] group = new int[8];
        for (int i = 0; i < 8; i++) {
            group[i] = (int) ((i < 4 ? high : low) >>> 48 - 16 * (i & 3)) & 0xffff;
        }
        int runStart = -1;
        int runLength = 1;
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && group[end] == 0) {
                end++;
            }
            if (end - i > runLength) {
                runStart = i;
                runLength = end - i;
            }
            i = Math.max(i, end - 1);
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < 8; i++) {
            if (i == runStart) {
                text.append("::");
                i += runLength - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(group[i]));
        }
        return text.toString();
    }

    /** Four decimal numbers of one to three digits; -1 if it is none. */
    private static long ipv4(String text, int from, int end) {
        long bits = 0;
        int at = from;
        for (int part = 0; part < 4; part++) {
            int value = 0;
            int digits = 0;
            while (at < end && digits < 4 && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                value = value * 10 + text.charAt(at) - '0';
                at++;
                digits++;
            }
            boolean isDot = at < end && text.charAt(at) == '.';
            if (digits == 0 || digits > 3 || value > 255 || isDot != (part < 3)) {
                return -1;
            }
            bits = bits << 8 | value;
            at++;
        }
        return at == end + 1 ? bits : -1;
    }

    /** Groups from both ends; where "::" stands, as many zeros as are missing. */
    private static @Nullable IpAddress ipv6(String text) {
        long high = 0;
        long low = 0;
        int count = 0;
        int gap = text.startsWith("::") ? 0 : -1;
        int at = gap == 0 ? 2 : 0;
        int end = text.length();
        while (at < end) {
            int stop = groupEnd(text, at, end);
            boolean isIpv4 = stop == end && text.indexOf('.', at) >= 0;
            long value = isIpv4 ? ipv4(text, at, end) : hexadecimal(text, at, stop);
            count += isIpv4 ? 2 : 1;
            if (value < 0 || count > GROUPS) {
                return null;
            }
            int bits = isIpv4 ? 32 : 16;
            high = high << bits | low >>> 64 - bits;
            low = low << bits | value;
            at = stop + 1;
            if (stop < end && (at == end || text.charAt(at) == ':')) {
                if (at == end || gap >= 0) {
                    return null; // it ends on a colon, or a second "::"
                }
                gap = count;
                at++;
            }
        }
        if (gap < 0 ? count < GROUPS : count == GROUPS) {
            return null;
        }
        return gap < 0 ? new IpAddress(high, low) : spread(high, low, count, gap);
    }

    /** The colon behind a group, or the end. */
    private static int groupEnd(String text, int at, int end) {
        int colon = text.indexOf(':', at);
        return colon < 0 ? end : colon;
    }

    /** Moves the groups before the gap, of the {@code count} that stand at the low end, to the high end. */
    private static IpAddress spread(long high, long low, int count, int gap) {
        long spreadHigh = 0;
        long spreadLow = 0;
        for (int i = 0; i < GROUPS; i++) {
            int fromEnd = i < gap ? count - 1 - i : i >= GROUPS - (count - gap) ? GROUPS - 1 - i : -1;
            long word = fromEnd < 0 ? 0 : (fromEnd < 4 ? low : high) >>> 16 * (fromEnd & 3) & 0xffff;
            spreadHigh = spreadHigh << 16 | spreadLow >>> 48;
            spreadLow = spreadLow << 16 | word;
        }
        return new IpAddress(spreadHigh, spreadLow);
    }

    /** One to four hexadecimal digits; -1 if there are others. */
    private static long hexadecimal(String text, int from, int end) {
        if (end == from || end - from > 4) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < end; i++) {
            int digit = digit(text.charAt(i));
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int letter = c | 0x20;
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }
}
