/**
 * Packet applications that run to completion: a lane (a thread) receives a burst of packets from a port, passes it
 * through a list of stages, and sends what is left, all in the memory that the packets were received in. The entry
 * point is {@link io.offhook.forward.Forwarder}, or {@link io.offhook.forward.application.ForwardApplication} for an
 * application that a YAML file describes.
 *
 * <p>Users implement {@link io.offhook.forward.Stage}; a {@link io.offhook.forward.Port} receives and sends packets.
 * Every packet received or created is sent, held, or counted as dropped by stage and cause.
 */
@NullMarked
package io.offhook.forward;

import org.jspecify.annotations.NullMarked;
