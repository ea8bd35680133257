package io.offhook.sip;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * An address in a session description: an IP address, or a host name that only the network could resolve.
 *
 * @param text as written, without the TTL and count of a multicast address; "" where there is none
 * @param ip the address with port 0; null for a name and where there is none
 */
public record SdpAddress(String text, @Nullable Endpoint ip) {
    /** No address. */
    public static final SdpAddress NONE = new SdpAddress("", null);

    /** The address or name that the text is. */
    public static SdpAddress of(String text) {
        int slash = text.indexOf('/');
        String address = (slash < 0 ? text : text.substring(0, slash)).strip();
        return address.isEmpty() ? NONE : new SdpAddress(address, ip(address));
    }

    /** Brackets and a zone, which have no business here and are written yet, are left out. */
    private static @Nullable Endpoint ip(String text) {
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
