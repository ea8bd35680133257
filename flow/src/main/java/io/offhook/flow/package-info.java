/**
 * Packets taken together, within hard budgets. {@link io.offhook.flow.FlowTable} counts flows; {@link
 * io.offhook.flow.FragmentTable} takes IP fragments and gives whole IP packets; {@link io.offhook.flow.TcpStreams} takes
 * TCP segments and tells a {@link io.offhook.flow.TcpStreamHandler} the bytes of each direction in order, with the holes;
 * {@link io.offhook.flow.StreamWindows} keeps for a reader what it cannot read yet; {@link io.offhook.flow.FlowHash} says
 * which lane a flow belongs to. Nothing here knows what the bytes mean, reads a clock, or depends on anything but the
 * packets.
 */
@NullMarked
package io.offhook.flow;

import org.jspecify.annotations.NullMarked;
