package io.offhook.calls.event;

import io.offhook.packet.Endpoint;

/**
 * An ICMP or ICMPv6 error, and the packet that it quotes.
 *
 * @param timestampNs when it was captured, nanoseconds since the epoch
 * @param frameNumber 1-based
 * @param reporter the sender of the error; port 0
 * @param source of the quoted packet
 * @param destination of the quoted packet
 * @param callIdHash of the quoted packet if it is SIP and long enough, else 0
 * @param message type and code
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
     * Type and code of an error.
     *
     * @param ipVersion 4 for ICMP, 6 for ICMPv6
     * @param type 0 to 255 (RFC 792, RFC 4443)
     * @param code 0 to 255; its meaning depends on version and type
     */
    public record Message(int ipVersion, int type, int code) {
        /** Whether the packet did not arrive for good: destination unreachable, but for "fragmentation needed". */
        public boolean isUnreachable() {
            return ipVersion == 6 ? type == 1 : type == 3 && code != 4;
        }
    }

    /** Whether another error has the same reporter, type and code. */
    public boolean isLike(IcmpEvent other) {
        return message.equals(other.message) && reporter.equals(other.reporter);
    }
}
