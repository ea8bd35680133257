package io.offhook.proxy.routing;

import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.packet.IpAddress;
import io.offhook.sip.SipUri;
import java.util.Locale;

/**
 * The host of URIs, as the configuration names it: {@code example.org}, {@code *.example.org} for all names below,
 * {@code 192.0.2.1}, {@code [2001:db8::1]}, each with a port if only URIs with that port are meant.
 *
 * @param host in lower case, without a final dot; an IPv6 address in its canonical form and without brackets
 * @param isSuffix whether it stands for all names that end with a dot and {@code host}
 * @param port 1 to 65535; -1 for any
 */
public record DomainName(String host, boolean isSuffix, int port) {
    /** The type of a domain in a configuration. */
    public static final ConfigType<DomainName> TYPE =
            ConfigTypes.scalar("domain or address, such as example.org or 192.0.2.1:5070", DomainName::parse);

    /**
     * Parses a domain.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    public static DomainName parse(String text) {
        boolean isSuffix = text.startsWith("*.");
        SipUri uri = SipUri.parse("sip:" + (isSuffix ? text.substring(2) : text));
        String host = canonical(uri.host());
        boolean isName = host.matches("[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?") || IpAddress.parse(host) != null;
        String written = (isSuffix ? "*." : "") + uri.host() + (uri.port() < 0 ? "" : ":" + uri.port());
        if (!isName || !uri.user().isEmpty() || !written.equals(text)) {
            throw new IllegalArgumentException("\"" + text
                    + "\" is not a domain such as example.org, *.example.org, 192.0.2.1:5070 or \"[2001:db8::1]\"");
        }
        return new DomainName(host, isSuffix, uri.port());
    }

    /** A host in the form in which hosts are compared. */
    static String canonical(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        if (bare.indexOf(':') >= 0) {
            IpAddress address = IpAddress.parse(bare);
            return address == null ? bare : address.toString();
        }
        String lower = bare.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /** Whether a URI is of this domain. */
    public boolean matches(SipUri uri) {
        return matches(canonical(uri.host()), uri.port());
    }

    /** Whether a host in its canonical form is of this domain. */
    boolean matches(String canonicalHost, int otherPort) {
        if (port >= 0 && port != otherPort) {
            return false;
        }
        return isSuffix ? canonicalHost.endsWith("." + host) : canonicalHost.equals(host);
    }
}
