package io.offhook.forward;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;

/**
 * Addresses that begin alike (RFC 4632, RFC 4291 2.3).
 *
 * @param high the first 64 bits; of IPv4 its 32 bits and zeros
 * @param low the last 64 bits; of IPv4 0
 * @param length bits of the prefix, 0 to 32 or 128
 * @param isIpv4 of which family
 */
public record IpPrefix(long high, long low, int length, boolean isIpv4) {
    /** Checks the length. */
    public IpPrefix {
        if (length < 0 || length > (isIpv4 ? 32 : 128)) {
            throw new IllegalArgumentException("prefix length " + length + " is outside 0 to " + (isIpv4 ? 32 : 128));
        }
    }

    /**
     * Reads {@code 192.0.2.0/24}, {@code 2001:db8::/32}, or an address alone; what stands behind the prefix stays.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    public static IpPrefix parse(String text) {
        int slash = text.indexOf('/');
        IpAddress address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            throw new IllegalArgumentException("\"" + text + "\" is not like 192.0.2.0/24 or 2001:db8::/32");
        }
        boolean isIpv4 = address.isIpv4() && text.indexOf(':') < 0;
        int most = isIpv4 ? 32 : 128;
        int length = most;
        if (slash >= 0) {
            String digits = text.substring(slash + 1);
            length = digits.matches("[0-9]{1,3}") ? Integer.parseInt(digits) : -1;
            if (length < 0 || length > most) {
                throw new IllegalArgumentException("prefix length of \"" + text + "\" is outside 0 to " + most);
            }
        }
        return isIpv4
                ? new IpPrefix(address.low() << 32, 0, length, true)
                : new IpPrefix(address.high(), address.low(), length, false);
    }

    /** With zeros behind the prefix. */
    public IpPrefix network() {
        long keptHigh = length >= 64 ? high : length == 0 ? 0 : high & -1L << 64 - length;
        long keptLow = length >= 128 ? low : length <= 64 ? 0 : low & -1L << 128 - length;
        return new IpPrefix(keptHigh, keptLow, length, isIpv4);
    }

    /** Whether nothing but zeros stands behind the prefix. */
    public boolean isNetwork() {
        return equals(network());
    }

    /** Whether an address, as {@link #high} and {@link #low} have it, is among them. */
    public boolean contains(long addressHigh, long addressLow) {
        IpPrefix other = new IpPrefix(addressHigh, addressLow, length, isIpv4).network();
        IpPrefix own = network();
        return other.high == own.high && other.low == own.low;
    }

    /** The address as text, without length. */
    public String addressText() {
        return (isIpv4 ? Endpoint.ofIpv4((int) (high >>> 32), 0) : new Endpoint(high, low, 0)).addressText();
    }

    @Override
    public String toString() {
        return addressText() + "/" + length;
    }
}
