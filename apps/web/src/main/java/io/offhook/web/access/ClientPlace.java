package io.offhook.web.access;

import java.net.InetAddress;
import java.util.HexFormat;

/** Whom an address stands for, where limits are an address each: whoever has an IPv6 address has 2^64 of them. */
public final class ClientPlace {
    private static final int IPV6_OCTETS = 16;
    private static final int PREFIX_OCTETS = 8;

    private ClientPlace() {}

    /** An IPv4 address as it is; of IPv6, its /64 in hexadecimal digits; what is no address, as it is. */
    public static String of(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            byte[] octets = InetAddress.ofLiteral(address).getAddress();
            return octets.length == IPV6_OCTETS ? HexFormat.of().formatHex(octets, 0, PREFIX_OCTETS) : address;
        } catch (IllegalArgumentException _) {
            return address;
        }
    }

    /** Whether an address is of this machine. */
    public static boolean isLoopback(String address) {
        try {
            return InetAddress.ofLiteral(address).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
