/**
 * Packets changed where they lie. {@link io.offhook.packet.edit.PacketEditor} sets fields and keeps lengths and
 * checksums right; {@link io.offhook.packet.edit.PacketAnonymizer} replaces addresses in every header by Crypto-PAn,
 * which keeps networks together.
 */
@NullMarked
package io.offhook.packet.edit;

import org.jspecify.annotations.NullMarked;
