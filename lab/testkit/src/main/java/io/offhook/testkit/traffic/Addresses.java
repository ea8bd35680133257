package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** IP addresses as bytes and as text. */
public final class Addresses {
    private Addresses() {}

    /** {@code endpoint("192.0.2.1", 5060)}, {@code endpoint("2001:db8::1", 5060)}: a literal, never a host name. */
    public static Endpoint endpoint(String literal, int port) {
        try {
            // ofLiteral never asks a resolver
            byte[] bytes = InetAddress.ofLiteral(literal).getAddress();
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return bytes.length == 4
                    ? Endpoint.ofIpv4(buffer.getInt(), port)
                    : new Endpoint(buffer.getLong(), buffer.getLong(), port);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + literal + "\" is not an IP address", e);
        }
    }

    /** 4 or 16 bytes in network order. */
    public static byte[] bytes(Endpoint endpoint) {
        return endpoint.isIpv4()
                ? ByteBuffer.allocate(4).putInt((int) endpoint.low()).array()
                : ByteBuffer.allocate(16)
                        .putLong(endpoint.high())
                        .putLong(endpoint.low())
                        .array();
    }

    /** Both addresses, one after the other, as pseudo headers and IP headers have them. */
    static byte[] bytes(Endpoint source, Endpoint destination) {
        if (source.isIpv4() != destination.isIpv4()) {
            throw new IllegalArgumentException(source + " and " + destination + " are of different IP versions");
        }
        byte[] first = bytes(source);
        byte[] second = bytes(destination);
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    /** The address as it stands in a SIP URI or Via: IPv6 in brackets. */
    static String inUri(Endpoint endpoint) {
        return endpoint.isIpv4() ? text(endpoint) : "[" + text(endpoint) + "]";
    }

    /** The address alone, as SDP writes it. */
    static String text(Endpoint endpoint) {
        String full;
        try {
            full = InetAddress.getByAddress(bytes(endpoint)).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are always an address", e);
        }
        // "2001:db8:0:0:0:0:0:1" is valid but no device writes it
        return full.replaceFirst("(^|:)0(:0)+(:|$)", "::");
    }
}
