package io.offhook.sip;

/**
 * An ICE candidate: an address at which a side can be reached (RFC 8839, 5.1).
 *
 * @param foundation groups candidates of the same type and base
 * @param component 1 for RTP, 2 for RTCP
 * @param transport in lower case: udp, tcp
 * @param priority 1 to 2^31 - 1
 * @param address an IP address or a name, such as an mDNS name
 * @param port 0 to 65535
 * @param type in lower case: host, srflx, prflx, relay
 */
public record IceCandidate(
        String foundation, int component, String transport, long priority, SdpAddress address, int port, String type) {}
