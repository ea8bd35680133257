package io.offhook.sip;

/**
 * An address that a side can be reached at (RFC 8839, 5.1).
 *
 * @param foundation groups candidates of one kind and base
 * @param component 1 is RTP, 2 is RTCP
 * @param transport in lower case: udp, tcp
 * @param priority 1 to 2^31 - 1
 * @param address an IP address, or a name such as those of mDNS
 * @param port 0 to 65535
 * @param type in lower case: host, srflx, prflx, relay
 */
public record IceCandidate(
        String foundation, int component, String transport, long priority, SdpAddress address, int port, String type) {}
