package io.offhook.calls.event;

import io.offhook.packet.Endpoint;

/**
 * An ICMP or ICMPv6 error, and the packet it is about.
 *
 * @param timestampNs when it was captured, nanoseconds since the epoch
 * @param frameNumber 1-based
 * @param reporter who sent the error; port 0
 * @param source of the quoted packet
 * @param destination of the quoted packet
 * @param callIdHash of the quoted packet, where it is SIP and long enough; else 0
 * @param message what the error says
 */
public record IcmpEvent(
        long timestampNs,
        long frameNumber,
        Endpoint reporter,
        Endpoint source,
        Endpoint destination,
        long callIdHash,
        Message message) {

    /**
     * What an error says.
     *
     * @param ipVersion 4 for ICMP, 6 for ICMPv6
     * @param type 0 to 255 (RFC 792, RFC 4443)
     * @param code 0 to 255; what it means depends on version and type
     */
    public record Message(int ipVersion, int type, int code) {}

    /** Whether another error has the same reporter and says the same. */
    public boolean isLike(IcmpEvent other) {
        return message.equals(other.message) && reporter.equals(other.reporter);
    }
}
