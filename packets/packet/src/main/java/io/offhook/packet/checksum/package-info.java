/**
 * Checksums of headers and what they cover. {@link io.offhook.packet.checksum.InternetChecksum} verifies and computes
 * the checksum of any layer that has one, CRC32c of SCTP included. The other types are what {@code write} and {@code
 * edit} are made of.
 */
@NullMarked
package io.offhook.packet.checksum;

import org.jspecify.annotations.NullMarked;
