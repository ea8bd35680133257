package io.offhook.calls;

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
 * @param meaning in words: "port unreachable", "time exceeded"...
 */
public record IcmpEvent(
        long timestampNs,
        long frameNumber,
        Endpoint reporter,
        Endpoint source,
        Endpoint destination,
        long callIdHash,
        String meaning) {}
