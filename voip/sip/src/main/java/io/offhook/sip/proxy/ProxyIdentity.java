package io.offhook.sip.proxy;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipHost;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUriView;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Who the proxy is: its listeners, and the addresses and names by which others refer to them. Immutable; the reader of hosts
 * is that of one thread.
 */
public final class ProxyIdentity {
    private final List<ProxyListener> listeners;
    private final byte[][] viaPrefixes;
    private final byte[][] routeSuffixes;
    private final long[] high;
    private final long[] low;
    private final byte[][] names;
    private final SipHost host = new SipHost();

    /**
     * Creates an identity.
     *
     * @param listeners the listeners, in the order of their numbers; at least one
     * @param addresses the addresses at which they are reached, those of all interfaces for one that listens to all
     * @param names further names of this host, without port
     */
    public ProxyIdentity(List<ProxyListener> listeners, Set<IpAddress> addresses, Set<String> names) {
        if (listeners.isEmpty()) {
            throw new IllegalArgumentException("a proxy needs a listener");
        }
        this.listeners = List.copyOf(listeners);
        viaPrefixes = listeners.stream().map(ProxyListener::viaPrefix).toArray(byte[][]::new);
        routeSuffixes = listeners.stream().map(ProxyListener::routeSuffix).toArray(byte[][]::new);
        high = addresses.stream().mapToLong(IpAddress::high).toArray();
        low = addresses.stream().mapToLong(IpAddress::low).toArray();
        this.names = java.util.stream.Stream.concat(
                        names.stream(),
                        listeners.stream().map(ProxyListener::host).filter(ProxyIdentity::isName))
                .map(name -> name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
    }

    private static boolean isName(String host) {
        return !host.startsWith("[") && IpAddress.parse(host) == null;
    }

    /** The listeners. */
    public List<ProxyListener> listeners() {
        return listeners;
    }

    /** Whether host and port of a URI are those of a listener. */
    public boolean isOwn(SipUriView uri) {
        return listenerOf(uri) >= 0;
    }

    /** The listener that a URI leads to: the one with its transport if several have its port; -1 if none has. */
    int listenerOf(SipUriView uri) {
        if (!uri.isSip() || !isOwnHost(uri.octets(), uri.hostOffset(), uri.hostLength())) {
            return -1;
        }
        boolean isIpv6 = uri.octets()[uri.hostOffset()] == '[';
        SipTransport transport = HopAddress.transport(uri);
        int found = -1;
        for (int i = 0; i < listeners.size(); i++) {
            ProxyListener listener = listeners.get(i);
            if (listener.port() != (uri.port() < 0 ? listener.transport().defaultPort() : uri.port())) {
                continue;
            }
            if (listener.transport() == transport && listener.isIpv6() == isIpv6) {
                return i;
            }
            found = found < 0 ? i : found;
        }
        return found;
    }

    /** Whether port and transport of a URI, as written or by default, are those of a listener (RFC 3261, 16.4). */
    boolean isListener(SipUriView uri, int listener) {
        if (listener < 0 || listener >= listeners.size()) {
            return false;
        }
        ProxyListener by = listeners.get(listener);
        SipTransport transport = HopAddress.transport(uri);
        return transport == by.transport() && (uri.port() < 0 ? transport.defaultPort() : uri.port()) == by.port();
    }

    /** Whether a hop leads to one of the listeners. */
    boolean isOwn(SipHop hop) {
        if (!isOwnAddress(hop.high(), hop.low())) {
            return false;
        }
        for (int i = 0; i < listeners.size(); i++) {
            if (listeners.get(i).port() == hop.port()) {
                return true;
            }
        }
        return false;
    }

    /** Whether text is one of our addresses or names. */
    boolean isOwnHost(byte[] text, int offset, int length) {
        if (host.read(text, offset, length)) {
            return isOwnAddress(host.high(), host.low());
        }
        for (byte[] name : names) {
            if (name.length == length && isName(text, offset, name)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOwnAddress(long addressHigh, long addressLow) {
        for (int i = 0; i < low.length; i++) {
            if (low[i] == addressLow && high[i] == addressHigh) {
                return true;
            }
        }
        return false;
    }

    private static boolean isName(byte[] text, int offset, byte[] lowerCase) {
        for (int i = 0; i < lowerCase.length; i++) {
            int octet = text[offset + i];
            if ((octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * The listener from which a message leaves: the wanted one if it has the transport and the family of addresses, else the
     * first that has; -1 if none has.
     */
    int listenerFor(SipTransport transport, boolean isIpv6, int wanted) {
        if (wanted >= 0 && wanted < listeners.size() && reaches(wanted, transport, isIpv6)) {
            return wanted;
        }
        for (int i = 0; i < listeners.size(); i++) {
            if (reaches(i, transport, isIpv6)) {
                return i;
            }
        }
        return -1;
    }

    private boolean reaches(int i, SipTransport transport, boolean isIpv6) {
        ProxyListener listener = listeners.get(i);
        return listener.transport() == transport && listener.isIpv6() == isIpv6;
    }

    byte[] viaPrefix(int listener) {
        return viaPrefixes[listener];
    }

    byte[] routeSuffix(int listener) {
        return routeSuffixes[listener];
    }
}
