package io.offhook.proxy.limit;

import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.packet.IpAddress;
import java.util.List;

/**
 * A block of IP addresses in the notation of CIDR (RFC 4632; RFC 4291, 2.3).
 *
 * @param address the first address; host bits are zero
 * @param length the bits that all addresses share, counted as IPv6 has them: 96 to 128 for IPv4, which is mapped
 */
public record AddressBlock(IpAddress address, int length) {
    /** The type of a block in a configuration. */
    public static final ConfigType<AddressBlock> TYPE =
            ConfigTypes.scalar("address or block, such as 192.0.2.0/24 or 2001:db8::/32", AddressBlock::parse);

    /** Checks the length and the host bits. */
    public AddressBlock {
        if (length < 0 || length > 128) {
            throw new IllegalArgumentException("length " + length + " is outside 0 to 128");
        }
        if (!masked(address, length).equals(address)) {
            throw new IllegalArgumentException(
                    "address " + address + " has bits beyond the length " + length + ", which must be zero");
        }
    }

    /**
     * Parses {@code 192.0.2.0/24}, {@code 2001:db8::/32}, or a plain address, which is a block of one.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    public static AddressBlock parse(String text) {
        int slash = text.indexOf('/');
        IpAddress address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not an address or block such as 192.0.2.0/24 or 2001:db8::/32");
        }
        boolean isIpv4 = text.indexOf(':') < 0;
        int most = isIpv4 ? 32 : 128;
        int bits = most;
        if (slash >= 0) {
            String digits = text.substring(slash + 1);
            bits = digits.matches("[0-9]{1,3}") ? Integer.parseInt(digits) : -1;
            if (bits < 0 || bits > most) {
                throw new IllegalArgumentException("the length of \"" + text + "\" is outside 0 to " + most);
            }
        }
        int length = isIpv4 ? bits + 96 : bits;
        IpAddress first = masked(address, length);
        if (!first.equals(address)) {
            throw new IllegalArgumentException(text + " has host bits; the block is " + first + "/" + bits);
        }
        return new AddressBlock(address, length);
    }

    /** The address with all bits beyond {@code length} set to zero. */
    static IpAddress masked(IpAddress address, int length) {
        return new IpAddress(maskedHigh(address.high(), length), maskedLow(address.low(), length));
    }

    private static long maskedHigh(long high, int length) {
        return length >= 64 ? high : length == 0 ? 0 : high & -1L << 64 - length;
    }

    private static long maskedLow(long low, int length) {
        return length >= 128 ? low : length <= 64 ? 0 : low & -1L << 128 - length;
    }

    /** Whether an address is in the block. */
    public boolean contains(IpAddress other) {
        return contains(other.high(), other.low());
    }

    /**
     * Whether an address is in the block.
     *
     * @param high its first 64 bits, as {@link IpAddress} has them
     * @param low its last 64 bits
     */
    public boolean contains(long high, long low) {
        return maskedHigh(high, length) == address.high() && maskedLow(low, length) == address.low();
    }

    /** Whether an address is in one of some blocks. */
    public static boolean isInOne(List<AddressBlock> blocks, long high, long low) {
        for (int i = 0, count = blocks.size(); i < count; i++) {
            if (blocks.get(i).contains(high, low)) {
                return true;
            }
        }
        return false;
    }

    private boolean isIpv4() {
        return length >= 96 && address.isIpv4();
    }

    @Override
    public String toString() {
        return address + "/" + (isIpv4() ? length - 96 : length);
    }
}
