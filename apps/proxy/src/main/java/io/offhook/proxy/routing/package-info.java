/**
 * Where a request goes. {@link io.offhook.proxy.routing.Routing} takes a {@link io.offhook.proxy.routing.RouteQuery} and
 * answers with a {@link io.offhook.proxy.routing.RouteDecision}: rules of the configuration in their order, the logic of users
 * ({@link io.offhook.proxy.routing.CallRouter}, loaded from a jar), and for what no rule matches the location service or the
 * request URI. {@link io.offhook.proxy.routing.NextHopGroup} orders the members of a group for a call, by weight, hash or
 * priority, and by what {@link io.offhook.proxy.routing.GroupHealth} knows of them; {@link
 * io.offhook.proxy.routing.TrunkTable} recognises trusted peers by their address. Nothing here does input or output, but for
 * reading jars; time is a parameter.
 */
@NullMarked
package io.offhook.proxy.routing;

import org.jspecify.annotations.NullMarked;
