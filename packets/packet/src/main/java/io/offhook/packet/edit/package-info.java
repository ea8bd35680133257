/**
 * Changes packets in place. {@link io.offhook.packet.edit.PacketEditor} sets fields and updates the checksums; {@link
 * io.offhook.packet.edit.PacketAnonymizer} replaces addresses in every header by Crypto-PAn, which keeps networks
 * together.
 */
@NullMarked
package io.offhook.packet.edit;

import org.jspecify.annotations.NullMarked;
