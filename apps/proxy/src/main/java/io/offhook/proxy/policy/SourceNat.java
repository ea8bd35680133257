package io.offhook.proxy.policy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipHost;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipViaView;

/**
 * Whether a request came from behind NAT: its topmost Via names another address than it came from, so that the address in its
 * Contact leads nowhere either. Reused and single-threaded; it allocates nothing.
 */
final class SourceNat {
    private final SipViaView via = new SipViaView();
    private final SipHost host = new SipHost();

    /** Whether the sender is not where it believes to be. A name in Via proves nothing. */
    boolean isBehindNat(SipMessageView request, SipHop source) {
        if (!request.topVia(via) || !host.read(request.octets(), via.hostOffset(), via.hostLength())) {
            return false;
        }
        boolean isOtherAddress = host.low() != source.low() || host.high() != source.high();
        int port = via.port() < 0 ? source.transport().defaultPort() : via.port();
        return isOtherAddress || port != source.port() && !source.transport().isReliable();
    }
}
