package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUriView;
import java.nio.charset.StandardCharsets;

/** Finds where a URI leads and by which listener. Reused. */
final class NextHop {
    private static final long V4_PREFIX = 0xffffL;

    private final ProxyIdentity identity;
    private final HopResolver resolver;
    private final HopAddress addresses = new HopAddress();
    private final SipUriView uri = new SipUriView();
    private final SipHop hop = new SipHop();
    private boolean namesTransport;

    NextHop(ProxyIdentity identity, HopResolver resolver) {
        this.identity = identity;
        this.resolver = resolver;
    }

    /** Reads the address in a URI; then {@link #hop} is set, without listener. */
    HopAddress.Kind read(SipUriView from) {
        namesTransport = HopAddress.namesTransport(from);
        return addresses.read(from, hop);
    }

    /** Whether the URI that was read says which transport is wanted. */
    boolean namesTransport() {
        return namesTransport;
    }

    HopAddress.Kind read(String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        uri.wrap(octets, 0, octets.length);
        return read(uri);
    }

    SipHop hop() {
        return hop;
    }

    HopResolver resolver() {
        return resolver;
    }

    private static boolean isIpv6(SipHop to) {
        return to.high() != 0 || to.low() >>> 32 != V4_PREFIX;
    }

    /** Sets the listener that a message to this hop leaves from; false if none has its transport and family. */
    boolean selectListener(SipHop to, int wanted) {
        int listener = identity.listenerFor(to.transport(), isIpv6(to), to.listener() >= 0 ? to.listener() : wanted);
        if (listener < 0) {
            return false;
        }
        to.listener(listener);
        return true;
    }

    /** Whether a listener has this transport for the hop's family of addresses. */
    boolean has(SipTransport transport, SipHop to) {
        return identity.listenerFor(transport, isIpv6(to), -1) >= 0;
    }

    boolean isOwn(SipHop to) {
        return identity.isOwn(to);
    }
}
