/**
 * Sockets for servers, without any idea of what they carry: datagrams received and sent in batches on one thread each, TCP
 * and TLS connections on event loops with bounded queues and a drained shutdown. The entry to connections is
 * {@link io.offhook.transport.ConnectionLoops}.
 */
@NullMarked
package io.offhook.transport;

import org.jspecify.annotations.NullMarked;
