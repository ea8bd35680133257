/**
 * Headers of the transport layer: {@link io.offhook.packet.transport.UdpView}, {@link
 * io.offhook.packet.transport.TcpView}, SCTP, DCCP and UDP-Lite, with the options of TCP and the chunks of SCTP. One
 * view a protocol.
 *
 * <p>A view wraps one header where it lies; after {@code WrapStatus.OK} every accessor is in bounds.
 */
@NullMarked
package io.offhook.packet.transport;

import org.jspecify.annotations.NullMarked;
