/**
 * Headers of the link layer and of the protocols beside IP: Ethernet, VLAN tags, PPP, Linux cooked capture, 802.11,
 * MPLS, ARP, LLDP, spanning tree. One view a protocol; {@link io.offhook.packet.link.EthernetView} is where most
 * frames begin.
 *
 * <p>A view wraps one header where it lies; after {@code WrapStatus.OK} every accessor is in bounds.
 */
@NullMarked
package io.offhook.packet.link;

import org.jspecify.annotations.NullMarked;
