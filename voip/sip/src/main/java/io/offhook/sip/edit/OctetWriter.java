package io.offhook.sip.edit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Text written into an array that grows to a limit. What exceeds the limit is left out, and {@link #isOverflown} says so.
 * Reused and single-threaded; it allocates only to grow.
 */
public final class OctetWriter {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final long V4_PREFIX = 0xffffL;
    private static final int GROUPS = 8;
    private static final int FIRST_SIZE = 2048;

    private final int limit;
    private byte[] octets;
    private int length;
    private boolean overflown;

    /**
     * Creates an empty writer.
     *
     * @param limit the most bytes, 1 or more
     */
    public OctetWriter(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit " + limit + " is less than 1");
        }
        this.limit = limit;
        octets = new byte[Math.min(limit, FIRST_SIZE)];
    }

    /** Removes all text. */
    public void clear() {
        length = 0;
        overflown = false;
    }

    /** The array, of which the first {@link #length} bytes are the text; valid until the next change. */
    public byte[] octets() {
        return octets;
    }

    /** The length of the text in bytes. */
    public int length() {
        return length;
    }

    /** Whether text was left out because it exceeds the limit. */
    public boolean isOverflown() {
        return overflown;
    }

    /** Appends a byte. */
    public OctetWriter put(int octet) {
        if (hasRoom(1)) {
            octets[length++] = (byte) octet;
        }
        return this;
    }

    /** Appends bytes. */
    public OctetWriter put(byte[] text) {
        return put(text, 0, text.length);
    }

    /** Appends part of an array. */
    public OctetWriter put(byte[] text, int offset, int count) {
        if (hasRoom(count)) {
            System.arraycopy(text, offset, octets, length, count);
            length += count;
        }
        return this;
    }

    /** Appends text as UTF-8; for what is written rarely, because it allocates. */
    public OctetWriter put(String text) {
        return put(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Appends a number of at least 0. */
    public OctetWriter putDecimal(long number) {
        long divisor = 1;
        while (number / divisor >= 10) {
            divisor *= 10;
        }
        for (; divisor > 0; divisor /= 10) {
            put('0' + (int) (number / divisor % 10));
        }
        return this;
    }

    /** Appends the last digits of a number in lower-case hexadecimal. */
    public OctetWriter putHex(long number, int digits) {
        for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
            put(HEX[(int) (number >>> shift) & 0xf]);
        }
        return this;
    }

    /**
     * Appends an address as a host is written in SIP: IPv6 in brackets.
     *
     * @param high the first 64 bits, as in {@link io.offhook.packet.IpAddress}
     * @param low the last 64 bits
     */
    public OctetWriter putHost(long high, long low) {
        return isIpv4(high, low)
                ? putIpv4((int) low)
                : put('[').putIpv6(high, low).put(']');
    }

    /** Appends an address without brackets, as in the received parameter (RFC 3261, 25.1). */
    public OctetWriter putAddress(long high, long low) {
        return isIpv4(high, low) ? putIpv4((int) low) : putIpv6(high, low);
    }

    private static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> 32 == V4_PREFIX;
    }

    private OctetWriter putIpv4(int bits) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            putDecimal(bits >>> shift & 0xff);
            if (shift > 0) {
                put('.');
            }
        }
        return this;
    }

    /** RFC 5952: lower case, no leading zeros, the first longest run of two or more zero groups becomes "::". */
    private OctetWriter putIpv6(long high, long low) {
        int runStart = -1;
        int runEnd = -1;
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && group(high, low, end) == 0) {
                end++;
            }
            if (end - i > Math.max(runEnd - runStart, 1)) {
                runStart = i;
                runEnd = end;
            }
            i = Math.max(i, end - 1);
        }
        for (int i = 0; i < GROUPS; i++) {
            if (i == runStart) {
                put(':').put(':');
                i = runEnd - 1;
                continue;
            }
            if (i > 0 && i != runEnd) {
                put(':');
            }
            int group = group(high, low, i);
            putHex(group, group > 0xfff ? 4 : group > 0xff ? 3 : group > 0xf ? 2 : 1);
        }
        return this;
    }

    private static int group(long high, long low, int i) {
        return (int) ((i < GROUPS / 2 ? high : low) >>> 48 - 16 * (i & 3)) & 0xffff;
    }

    private boolean hasRoom(int count) {
        if (count <= octets.length - length) {
            return true;
        }
        if (overflown || count > limit - length) {
            overflown = true;
            return false;
        }
        octets = Arrays.copyOf(octets, Math.min(limit, Math.max(2 * octets.length, length + count)));
        return true;
    }

    /** The text, for logs. */
    @Override
    public String toString() {
        return new String(octets, 0, length, StandardCharsets.UTF_8);
    }
}
