package io.offhook.cluster.event;

import io.offhook.packet.Endpoint;

/**
 * An ICMP or ICMPv6 error, and the packet that it quotes.
 *
 * @param frame of the error, counted by the probe
 * @param reporter the sender of the error; port 0
 * @param source of the quoted packet
 * @param destination of the quoted packet
 * @param callIdHash of the quoted packet if it is SIP and long enough, else 0
 * @param message type and code
 * @param boundCallIdHash the call that the probe takes it for, by messages of the same hop; 0 if it knows none
 * @param unknown what this release does not know of it
 */
public record IcmpError(
        long frame,
        Endpoint reporter,
        Endpoint source,
        Endpoint destination,
        long callIdHash,
        Message message,
        long boundCallIdHash,
        Octets unknown)
        implements EventBody {
    /** Checks the number of the frame. */
    public IcmpError {
        Limits.count("frame", frame);
    }

    /**
     * Type and code of an error.
     *
     * @param ipVersion 4 for ICMP (RFC 792), 6 for ICMPv6 (RFC 4443)
     * @param type 0 to 255
     * @param code 0 to 255
     */
    public record Message(int ipVersion, int type, int code) {
        /** Checks the ranges. */
        public Message {
            if (ipVersion != 4 && ipVersion != 6) {
                throw new IllegalArgumentException("ip_version " + ipVersion + " is neither 4 nor 6");
            }
            Limits.range("type", type, 0, 255);
            Limits.range("code", code, 0, 255);
        }
    }
}
