/**
 * Events as records: {@link io.offhook.cluster.event.Event} is what a probe says, with its place among all that this probe
 * says; {@link io.offhook.cluster.event.EventBody} is what happened. {@link io.offhook.cluster.event.EventKey} decides which
 * partition an event belongs to. Nothing here knows protobuf: the package {@code codec} turns events into octets and back.
 * docs/EVENTS.md describes the octets, field by field.
 */
@NullMarked
package io.offhook.cluster.event;

import org.jspecify.annotations.NullMarked;
