/**
 * WebSocket (RFC 6455) on connections of {@link io.offhook.transport.ConnectionLoops}, without extensions:
 * {@link io.offhook.transport.websocket.WebSockets} makes connection handlers that do the handshake and pass whole messages
 * to a {@link io.offhook.transport.websocket.WebSocketHandler}. Knows nothing of what the messages are.
 */
@NullMarked
package io.offhook.transport.websocket;

import org.jspecify.annotations.NullMarked;
