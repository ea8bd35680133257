package io.offhook.cluster.event;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import org.jspecify.annotations.Nullable;

/**
 * A SIP message (RFC 3261, 7) as it was captured, after reassembly and decryption.
 *
 * @param message its octets, 1 to {@value Limits#MESSAGE}; of one that the snap length cut, its whole lines
 * @param callIdHash {@link io.offhook.sip.SipMessageView#callIdHash()}; 0 if it has no Call-ID
 * @param source the sender
 * @param destination the receiver
 * @param transport what carried it; null if that is unknown here
 * @param ipIdentification of its IPv4 packet, 0 to 65,535; -1 if there is none (IPv6, streams)
 * @param frame of the packet that completes it, counted by the probe
 * @param cut what was captured of the line in which the snap length cut it, at most {@value Limits#CUT} octets
 * @param isByAgent whether an agent captured it and sent it to the probe by HEP
 * @param interfaceIndex the interface of the probe, 0 or more
 * @param unknown what this release does not know of it
 */
public record SipMessage(
        Octets message,
        long callIdHash,
        Endpoint source,
        Endpoint destination,
        @Nullable SipTransport transport,
        int ipIdentification,
        long frame,
        Octets cut,
        boolean isByAgent,
        int interfaceIndex,
        Octets unknown)
        implements EventBody {
    /** Checks sizes and ranges. */
    public SipMessage {
        Limits.range("message", message.size(), 1, Limits.MESSAGE);
        Limits.range("ip_identification", ipIdentification, -1, 0xffff);
        Limits.count("frame", frame);
        Limits.range("cut", cut.size(), 0, Limits.CUT);
        Limits.range("interface", interfaceIndex, 0, Integer.MAX_VALUE);
    }
}
