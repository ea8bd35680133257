/**
 * Packet applications that run to completion: a lane (a thread) takes a burst of packets from a port, puts it through a list
 * of stages, and sends what is left, all in the memory that the packets came in. Entry is
 * {@link io.offhook.forward.Forwarder}, or
 * {@link io.offhook.forward.application.ForwardApplication} for one that a YAML file describes.
 *
 * <p>{@link io.offhook.forward.Stage} is what users write; {@link io.offhook.forward.Port} is where packets come from and go
 * to. Every packet that came in or was made is sent, held or counted as dropped, by stage and cause.
 */
@NullMarked
package io.offhook.forward;

import org.jspecify.annotations.NullMarked;
