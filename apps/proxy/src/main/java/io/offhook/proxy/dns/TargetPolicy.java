package io.offhook.proxy.dns;

import io.offhook.sip.SipTransport;
import java.util.List;

/**
 * What a search for destinations must respect.
 *
 * @param isSecure whether only TLS will do, though the URI may not be one of SIPS
 * @param transports those that can be sent by, in the order of preference
 */
public record TargetPolicy(boolean isSecure, List<SipTransport> transports) {
    /** Copies what is given. */
    public TargetPolicy {
        transports = List.copyOf(transports);
    }
}
