/**
 * Flows, IP fragments and TCP streams, within hard limits. {@link io.offhook.flow.table.FlowTable} counts flows.
 * {@link io.offhook.flow.fragment.FragmentTable} turns IP fragments into whole IP packets.
 * {@link io.offhook.flow.tcp.TcpStreams} takes TCP segments and passes the bytes of each direction in order, with holes
 * marked, to a {@link io.offhook.flow.tcp.TcpStreamHandler}; {@link io.offhook.flow.tcp.StreamWindows} retains bytes
 * that a reader cannot use yet. {@link io.offhook.flow.FlowHash} assigns flows to lanes. Nothing here interprets the
 * bytes or reads a clock; results depend on the packets only.
 */
@NullMarked
package io.offhook.flow;

import org.jspecify.annotations.NullMarked;
