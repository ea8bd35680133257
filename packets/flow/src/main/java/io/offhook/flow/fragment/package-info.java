/**
 * Reassembly of IP fragments. {@link io.offhook.flow.fragment.FragmentTable} takes fragments of IPv4 and IPv6 and
 * returns whole packets, copied or by reference, within hard limits; {@link io.offhook.flow.fragment.FragmentView}
 * reads the fragmentation fields of a packet.
 */
@NullMarked
package io.offhook.flow.fragment;

import org.jspecify.annotations.NullMarked;
