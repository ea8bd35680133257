package io.offhook.sip;

import io.offhook.packet.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * An address in a session description: an IP address or a host name. Host names are not resolved.
 *
 * @param text as written, without the TTL and count of a multicast address; "" if absent
 * @param ip the address; null for a host name and if absent
 */
public record SdpAddress(String text, @Nullable IpAddress ip) {
    /** No address. */
    public static final SdpAddress NONE = new SdpAddress("", null);

    /** Creates an address from an IP address or a host name. */
    public static SdpAddress of(String text) {
        int slash = text.indexOf('/');
        String address = (slash < 0 ? text : text.substring(0, slash)).strip();
        return address.isEmpty() ? NONE : new SdpAddress(address, ip(address));
    }

    /** Ignores brackets and a zone, which the grammar does not permit but implementations write. */
    private static @Nullable IpAddress ip(String text) {
        boolean isBracketed = text.length() > 2 && text.charAt(0) == '[' && text.charAt(text.length() - 1) == ']';
        String address = isBracketed ? text.substring(1, text.length() - 1) : text;
        int zone = address.indexOf('%');
        return IpAddress.parse(zone < 0 ? address : address.substring(0, zone));
    }

    /** Whether there is an address. */
    public boolean isPresent() {
        return !text.isEmpty();
    }

    /** 0.0.0.0 or ::, the old way to put media on hold (RFC 3264, 8.4). */
    public boolean isUnspecified() {
        return ip != null && ip.isUnspecified();
    }

    @Override
    public String toString() {
        return text;
    }
}
