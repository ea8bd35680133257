package io.offhook.proxy.stream;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;

/**
 * Where a message is to go.
 *
 * @param transport TCP or TLS; WS and WSS only over a flow that exists, since a browser cannot be connected to
 * @param remote the address and port, resolved
 * @param name the domain, or the address, that was resolved to it: what the peer's certificate must name (RFC 5922, 7.3).
 *     Not used by TCP
 */
public record StreamTarget(SipTransport transport, Endpoint remote, String name) {}
