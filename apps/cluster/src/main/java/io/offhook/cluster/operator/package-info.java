/**
 * The operators that make calls of events, as plain classes without an engine: each has the state of one key at a time, {@link
 * io.offhook.cluster.operator.Keep}, and an {@link io.offhook.cluster.operator.Output}. Events come by {@link
 * io.offhook.cluster.operator.EventRoutes}; from there on the stages are, in the order in which they send to each other, dialogs by
 * Call-ID, streams, endpoints, bindings of streams to calls, and calls. What is kept are events and messages as octets; calls are
 * reported by feeding the events of one to a fresh {@code CallAssembly}, and no machine is ever kept. Messages replace what was said
 * before, so that results do not depend on how those of different senders interleave. Legs are not joined yet: each dialog is a
 * call of its own. docs/decisions/0060-beyond-one-machine.md has the graph.
 */
@NullMarked
package io.offhook.cluster.operator;

import org.jspecify.annotations.NullMarked;
