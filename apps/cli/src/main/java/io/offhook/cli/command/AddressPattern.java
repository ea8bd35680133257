package io.offhook.cli.command;

import io.offhook.packet.Endpoint;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The pattern of {@code --address}: an address, an address with a port ("192.0.2.1:5060", "[2001:db8::1]:5060"), or a
 * network ("192.0.2.0/24").
 *
 * @param high the first 64 bits of the address, IPv4 ones mapped as in {@link Endpoint}
 * @param low the last 64 bits
 * @param bits the number of leading bits that must match, 0 to 128
 * @param port the port, or 0 for any
 */
public record AddressPattern(long high, long low, int bits, int port) {

    public static AddressPattern of(String text) {
        String address = text;
        int port = 0;
        int bits = -1;
        int colon = text.lastIndexOf(':');
        int slash = text.indexOf('/');
        if (text.startsWith("[") && text.indexOf(']') > 0) {
            int close = text.indexOf(']');
            address = text.substring(1, close);
            port = close == text.length() - 1
                    ? 0
                    : number(text, text.substring(close + 1).replaceFirst("^:", ""), 65535);
        } else if (slash > 0) {
            address = text.substring(0, slash);
            bits = number(text, text.substring(slash + 1), address.contains(":") ? 128 : 32);
        } else if (colon > 0 && text.indexOf(':') == colon) {
            address = text.substring(0, colon);
            port = number(text, text.substring(colon + 1), 65535);
        }
        return of(text, address, bits, port);
    }

    private static AddressPattern of(String text, String address, int bits, int port) {
        InetAddress literal;
        try {
            literal = InetAddress.ofLiteral(address);
        } catch (IllegalArgumentException e) {
            throw misuse(text);
        }
        ByteBuffer octets = ByteBuffer.wrap(literal.getAddress());
        if (literal instanceof Inet4Address) {
            Endpoint endpoint = Endpoint.ofIpv4(octets.getInt(), port);
            return new AddressPattern(endpoint.high(), endpoint.low(), bits < 0 ? 128 : 96 + bits, port);
        }
        return new AddressPattern(octets.getLong(), octets.getLong(), bits < 0 ? 128 : bits, port);
    }

    private static int number(String text, String digits, int limit) {
        if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) > limit) {
            throw misuse(text);
        }
        return Integer.parseInt(digits);
    }

    private static MisuseException misuse(String text) {
        return new MisuseException("--address " + text
                + " is not an IP address; examples: 192.0.2.1, 192.0.2.1:5060, 192.0.2.0/24, 2001:db8::1,"
                + " [2001:db8::1]:5060");
    }

    public boolean matches(Endpoint endpoint) {
        return (port == 0 || port == endpoint.port())
                && ((endpoint.high() ^ high) & mask(bits)) == 0
                && ((endpoint.low() ^ low) & mask(bits - 64)) == 0;
    }

    private static long mask(int bits) {
        return bits <= 0 ? 0 : bits >= 64 ? -1 : -1L << 64 - bits;
    }
}
