package io.offhook.sip;

import io.offhook.packet.IpAddress;

/**
 * Reads a host (RFC 3261, 25.1) that is an address, without looking up names. Reused and single-threaded; IPv4 allocates
 * nothing.
 */
public final class SipHost {
    private static final long V4_PREFIX = 0xffffL << 32;
    private static final int MAX_OCTET = 255;
    private static final int MAX_ADDRESS = 45;

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
            return text[end - 1] == ']' && readIpv6(SipLexer.text(text, offset + 1, end - 1));
        }
        return readIpv4(text, offset, end)
                || SipLexer.indexOf(text, offset, end, ':') < end && readIpv6(SipLexer.text(text, offset, end));
    }

    /** The first 64 bits of the address, as in {@link IpAddress}. */
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

    private boolean readIpv6(String text) {
        IpAddress address = IpAddress.parse(text);
        if (address == null || text.indexOf(':') < 0) {
            return false;
        }
        high = address.high();
        low = address.low();
        return true;
    }
}
