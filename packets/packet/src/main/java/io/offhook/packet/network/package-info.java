/**
 * Headers of the network layer: {@link io.offhook.packet.network.Ipv4View} and {@link
 * io.offhook.packet.network.Ipv6View} with their options and extension headers, ICMP, IGMP, neighbor discovery,
 * routing protocols, IPsec. One view a protocol.
 *
 * <p>A view wraps one header where it lies; after {@code WrapStatus.OK} every accessor is in bounds.
 */
@NullMarked
package io.offhook.packet.network;

import org.jspecify.annotations.NullMarked;
