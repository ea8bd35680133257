package io.offhook.proxy.routing;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipUri;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The domains for which the proxy is responsible (RFC 3261, 16.5): those of the configuration, and the addresses of its own
 * listeners. Immutable.
 */
public final class OwnDomains {
    private final Set<String> anyPort = new HashSet<>();
    private final List<DomainName> others;
    private final Set<String> listeners = new HashSet<>();
    private final Set<String> listenerHosts = new HashSet<>();

    /**
     * Creates the set.
     *
     * @param domains the domains of the configuration
     * @param own addresses and ports at which the proxy can be reached, advertised ones included
     */
    public OwnDomains(List<DomainName> domains, List<Endpoint> own) {
        others = domains.stream()
                .filter(domain -> domain.isSuffix() || domain.port() >= 0)
                .toList();
        domains.stream().filter(domain -> !others.contains(domain)).forEach(domain -> anyPort.add(domain.host()));
        for (Endpoint listener : own) {
            listeners.add(listener.address() + " " + listener.port());
            listenerHosts.add(listener.address().toString());
        }
    }

    /** Whether we are responsible for a URI. */
    public boolean contains(SipUri uri) {
        if (!uri.scheme().equals("sip") && !uri.scheme().equals("sips")) {
            return false;
        }
        String host = DomainName.canonical(uri.host());
        if (anyPort.contains(host)) {
            return true;
        }
        for (DomainName domain : others) {
            if (domain.matches(host, uri.port())) {
                return true;
            }
        }
        int usual = uri.scheme().equals("sips") || uri.parameter("transport").equalsIgnoreCase("tls") ? 5061 : 5060;
        return !listeners.isEmpty() && listeners.contains(host + " " + (uri.port() < 0 ? usual : uri.port()));
    }

    /** Whether we are responsible for a host at any port, for addresses of record, which have none. */
    public boolean containsHost(String host) {
        String canonical = DomainName.canonical(host);
        return anyPort.contains(canonical)
                || listenerHosts.contains(canonical)
                || others.stream().anyMatch(domain -> domain.matches(canonical, domain.port()));
    }
}
