package io.offhook.forward;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;

/**
 * An address prefix (RFC 4632; RFC 4291, 2.3), or an address with the length of its network.
 *
 * @param high the first 64 bits; for IPv4 the 32 bits of the address, then zeros
 * @param low the last 64 bits; 0 for IPv4
 * @param length the length of the prefix in bits, 0 to 32 or 128
 * @param isIpv4 whether it is IPv4, not IPv6
 */
public record IpPrefix(long high, long low, int length, boolean isIpv4) {
    /** Checks the length. */
    public IpPrefix {
        if (length < 0 || length > (isIpv4 ? 32 : 128)) {
            throw new IllegalArgumentException("prefix length " + length + " is outside 0 to " + (isIpv4 ? 32 : 128));
        }
    }

    /**
     * Parses {@code 192.0.2.0/24}, {@code 2001:db8::/32} or a plain address, whose length is then full. Host bits are
     * kept.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    public static IpPrefix parse(String text) {
        int slash = text.indexOf('/');
        IpAddress address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not an address or prefix such as 192.0.2.0/24 or 2001:db8::/32");
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

    /** The prefix with its host bits set to zero. */
    public IpPrefix network() {
        long keptHigh = length >= 64 ? high : length == 0 ? 0 : high & -1L << 64 - length;
        long keptLow = length >= 128 ? low : length <= 64 ? 0 : low & -1L << 128 - length;
        return new IpPrefix(keptHigh, keptLow, length, isIpv4);
    }

    /** Whether all host bits are zero. */
    public boolean isNetwork() {
        return equals(network());
    }

    /** Whether the prefix contains an address, given as {@link #high} and {@link #low}. */
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
