package io.offhook.proxy.stream;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipUri;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The SIP domains that a certificate speaks for (RFC 5922, 7.1): those of its SIP URIs; if it has none, its DNS names; if
 * it has no alternative names at all, its common name. Names are compared whole: a star is not a wildcard (7.2).
 */
final class CertifiedNames {
    private static final int DNS_NAME = 2;
    private static final int URI = 6;
    private static final int IP_ADDRESS = 7;
    private static final Pattern COMMON_NAME = Pattern.compile("(?:^|,)CN=([A-Za-z0-9.-]+)(?:,|$)");

    private CertifiedNames() {}

    /** In lower case; addresses as {@link IpAddress} writes them. */
    static Set<String> of(X509Certificate certificate) {
        Collection<List<?>> alternatives;
        try {
            alternatives = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException e) {
            return Set.of(); // a certificate with unreadable names proves nothing
        }
        if (alternatives == null) {
            Matcher name =
                    COMMON_NAME.matcher(certificate.getSubjectX500Principal().getName());
            return name.find() ? Set.of(name.group(1).toLowerCase(Locale.ROOT)) : Set.of();
        }
        Set<String> domains = new LinkedHashSet<>();
        Set<String> hosts = new LinkedHashSet<>();
        for (List<?> alternative : alternatives) {
            int kind = (Integer) alternative.get(0);
            String value = alternative.get(1) instanceof String text ? text : "";
            String domain = kind == URI ? domain(value) : null;
            if (domain != null) {
                domains.add(domain);
            } else if (kind == DNS_NAME) {
                hosts.add(value.toLowerCase(Locale.ROOT));
            } else if (kind == IP_ADDRESS) {
                domains.add(normal(value)); // beside either: who was asked for by address
            }
        }
        boolean hasUri = domains.stream().anyMatch(name -> IpAddress.parse(name) == null);
        if (!hasUri) {
            domains.addAll(hosts);
        }
        return Set.copyOf(domains);
    }

    /** A SIP URI with a user identifies a person, no domain; null for such and others. */
    private static @Nullable String domain(String text) {
        SipUri uri = SipUri.parse(text);
        boolean isDomain = (uri.scheme().equals("sip") || uri.scheme().equals("sips"))
                && uri.user().isEmpty()
                && !uri.host().isEmpty();
        return isDomain ? normal(uri.host()) : null;
    }

    /** A host as names are compared: in lower case, without brackets, addresses in their usual form. */
    static String normal(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        IpAddress address = IpAddress.parse(bare);
        return address == null ? bare.toLowerCase(Locale.ROOT) : address.toString();
    }
}
