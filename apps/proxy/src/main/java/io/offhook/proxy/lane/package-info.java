/**
 * The threads of the proxy that process messages. Each {@link io.offhook.proxy.lane.ProxyLane} has its own UDP sockets, its
 * own {@link io.offhook.sip.proxy.ProxyCore} and a mailbox; {@link io.offhook.proxy.lane.ProxyLanes} starts and stops them. A
 * message belongs to the lane that its Call-ID, or our branch in it, names. One that the kernel delivered to another lane is
 * handed over once, through a ring that keeps its order.
 */
@NullMarked
package io.offhook.proxy.lane;

import org.jspecify.annotations.NullMarked;
