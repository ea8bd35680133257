package io.offhook.proxy.stream;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;

/**
 * What is made of a TLS peer's certificate.
 *
 * @param isVerifying whether authorities have been asked, so that a certificate proves anything
 * @param expected the domain or address that it must speak for (RFC 5922, 7.3); empty if any peer is welcome
 */
record PeerCheck(boolean isVerifying, String expected) {
    /** A peer that is not asked for anything. */
    static final PeerCheck ANYONE = new PeerCheck(false, "");

    Set<String> names(List<X509Certificate> chain) {
        return isVerifying && !chain.isEmpty() ? CertifiedNames.of(chain.getFirst()) : Set.of();
    }

    boolean accepts(Set<String> names) {
        return !isVerifying || expected.isEmpty() || names.contains(CertifiedNames.normal(expected));
    }
}
