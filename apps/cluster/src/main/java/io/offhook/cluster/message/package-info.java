/**
 * What the operators that make calls of events send to each other, and keep: {@link io.offhook.cluster.message.OperatorMessage} and
 * its kinds. Each but an event replaces what was said of the same thing before, so that it does not matter how messages of
 * different senders interleave. Nothing here knows protobuf: {@link io.offhook.cluster.codec.MessageCodec} does.
 */
@NullMarked
package io.offhook.cluster.message;

import org.jspecify.annotations.NullMarked;
