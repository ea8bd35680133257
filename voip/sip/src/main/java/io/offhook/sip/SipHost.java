package io.offhook.sip;

/**
 * Reads a host (RFC 3261, 25.1) that is an address, without looking up names. Reused and single-threaded; allocates nothing.
 * It reads what {@link io.offhook.packet.IpAddress#parse} does.
 */
public final class SipHost {
    private static final long V4_PREFIX = 0xffffL << 32;
    private static final int MAX_OCTET = 255;
    private static final int MAX_ADDRESS = 45;
    private static final int GROUPS = 8;
    private static final int GROUP_DIGITS = 4;

    private long high;
    private long low;

    /** Creates a reader without an address. */
    public SipHost() {}

    /**
     * Reads a host.
     *
     * @param text the array with the host
     * @param offset its first byte
     * @param length its length in bytes; that of an IPv6 address may include brackets
     * @return whether it is an address
     */
    public boolean read(byte[] text, int offset, int length) {
        if (length < 2 || length > MAX_ADDRESS + 2) {
            return false;
        }
        int end = offset + length;
        if (text[offset] == '[') {
            return text[end - 1] == ']' && readIpv6(text, offset + 1, end - 1);
        }
        return readIpv4(text, offset, end) || readIpv6(text, offset, end);
    }

    /** The first 64 bits of the address, as in {@link io.offhook.packet.IpAddress}. */
    public long high() {
        return high;
    }

    /** The last 64 bits of the address. */
    public long low() {
        return low;
    }

    private boolean readIpv4(byte[] text, int offset, int end) {
        int bits = 0;
        int at = offset;
        for (int i = 0; i < 4; i++) {
            int from = at;
            int value = 0;
            while (at < end && at - from < 3 && SipLexer.isDigit(text[at])) {
                value = value * 10 + text[at++] - '0';
            }
            boolean last = i == 3;
            if (at == from || value > MAX_OCTET || last != (at == end) || !last && text[at] != '.') {
                return false;
            }
            bits = bits << 8 | value;
            at++;
        }
        high = 0;
        low = V4_PREFIX | bits & 0xffff_ffffL;
        return true;
    }

    /** Groups from both ends (RFC 4291, 2.2); where "::" stands, as many zeros as are missing. */
    private boolean readIpv6(byte[] text, int offset, int end) {
        if (end - offset < 2 || end - offset > MAX_ADDRESS) {
            return false;
        }
        long first = 0;
        long last = 0;
        int count = 0;
        int gap = text[offset] == ':' && text[offset + 1] == ':' ? 0 : -1;
        int at = gap == 0 ? offset + 2 : offset;
        while (at < end) {
            int stop = SipLexer.indexOf(text, at, end, ':');
            boolean isIpv4 = stop == end && SipLexer.indexOf(text, at, end, '.') < end;
            count += isIpv4 ? 2 : 1;
            if (count > GROUPS || !(isIpv4 ? readIpv4(text, at, end) : readGroup(text, at, stop))) {
                return false;
            }
            int bits = isIpv4 ? 32 : 16;
            first = first << bits | last >>> 64 - bits;
            last = last << bits | low & (1L << bits) - 1;
            at = stop + 1;
            if (stop < end && (at == end || text[at] == ':')) {
                if (at == end || gap >= 0) {
                    return false; // it ends on a colon, or a second "::"
                }
                gap = count;
                at++;
            }
        }
        if (gap < 0 ? count < GROUPS : count == GROUPS) {
            return false;
        }
        spread(first, last, count, gap < 0 ? count : gap);
        return true;
    }

    /** Sets the address, whose groups before the gap move from the low end, where {@code count} of them stand, to the high end. */
    private void spread(long first, long last, int count, int gap) {
        high = 0;
        low = 0;
        for (int i = 0; i < GROUPS; i++) {
            int fromEnd = i < gap ? count - 1 - i : i >= GROUPS - (count - gap) ? GROUPS - 1 - i : -1;
            long group = fromEnd < 0 ? 0 : (fromEnd < 4 ? last : first) >>> 16 * (fromEnd & 3) & 0xffff;
            high = high << 16 | low >>> 48;
            low = low << 16 | group;
        }
    }

    /** One to four hexadecimal digits, as the lowest bits of the address. */
    private boolean readGroup(byte[] text, int from, int end) {
        if (end == from || end - from > GROUP_DIGITS) {
            return false;
        }
        long value = 0;
        for (int i = from; i < end; i++) {
            int digit = Character.digit(text[i], 16);
            if (digit < 0) {
                return false;
            }
            value = value << 4 | digit;
        }
        low = value;
        return true;
    }
}
