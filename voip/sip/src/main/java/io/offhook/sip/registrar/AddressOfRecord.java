package io.offhook.sip.registrar;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipUri;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An address of record in the canonical form that indexes bindings (RFC 3261, 10.3 step 5). Scheme, password, port,
 * parameters and headers are left out: sip: and sips: are the same user (RFC 5630, 5.3), and so is a domain with the port
 * that a phone was set up with.
 *
 * @param user the user part without escapes; "" for a domain alone
 * @param domain the host in lower case; an IPv6 address in brackets and in the form of RFC 5952
 */
public record AddressOfRecord(String user, String domain) {
    private static final String PLAIN = "-_.!~*'()&=+$,;?/";

    /**
     * The address of record of a sip: or sips: URI; null for other schemes, without a host, and with control characters,
     * which nobody is called.
     */
    public static @Nullable AddressOfRecord of(SipUri uri) {
        boolean isSip = uri.scheme().equals("sip") || uri.scheme().equals("sips");
        if (!isSip || uri.host().isEmpty()) {
            return null;
        }
        AddressOfRecord canonical = new AddressOfRecord(uri.displayUser(), canonicalHost(uri.host()));
        return (canonical.user + canonical.domain).chars().allMatch(c -> c >= ' ' && c != 127) ? canonical : null;
    }

    private static String canonicalHost(String host) {
        if (host.startsWith("[") && host.endsWith("]")) {
            IpAddress address = IpAddress.parse(host.substring(1, host.length() - 1));
            return address == null ? host.toLowerCase(Locale.ROOT) : "[" + address + "]";
        }
        return host.toLowerCase(Locale.ROOT);
    }

    /** The sip: URI, with the escapes that it needs (RFC 3261, 25.1). */
    public String uri() {
        StringBuilder uri = new StringBuilder("sip:");
        for (byte octet : user.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(octet)) {
                uri.append((char) octet);
            } else {
                uri.append(escape(octet));
            }
        }
        return uri.append(user.isEmpty() ? "" : "@").append(domain).toString();
    }

    private static boolean isPlain(byte octet) {
        return octet >= 'a' && octet <= 'z'
                || octet >= 'A' && octet <= 'Z'
                || octet >= '0' && octet <= '9'
                || octet > 0 && PLAIN.indexOf(octet) >= 0;
    }

    static String escape(byte octet) {
        return "%" + Character.toUpperCase(Character.forDigit(octet >> 4 & 15, 16))
                + Character.toUpperCase(Character.forDigit(octet & 15, 16));
    }

    /** The sip: URI. */
    @Override
    public String toString() {
        return uri();
    }
}
