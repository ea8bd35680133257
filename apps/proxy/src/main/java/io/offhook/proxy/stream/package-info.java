/**
 * The proxy's connections: {@link io.offhook.proxy.stream.SipConnections} listens for TCP, TLS, WebSocket and secure
 * WebSocket, passes whole messages to a {@link io.offhook.proxy.stream.SipInbound}, and sends on a
 * {@link io.offhook.proxy.stream.StreamFlow}: one that exists, found by its number or its peer's address, or one that it
 * begins. What a certificate says of a peer's domains (RFC 5922) decides which flows may be reused.
 */
@NullMarked
package io.offhook.proxy.stream;

import org.jspecify.annotations.NullMarked;
