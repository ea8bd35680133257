/**
 * The Homer Encapsulation Protocol (HEP3, also called EEP), by which capture agents mirror messages to a collector.
 * {@link io.offhook.hep.HepSender} is the entry point: each thread that has something to mirror gets a
 * {@link io.offhook.hep.HepFeed}, which encodes a {@link io.offhook.hep.HepPacket} into a ring and never waits; one thread
 * sends what is in the rings. What does not fit is dropped and counted.
 *
 * <p>Packets are read by {@link io.offhook.packet.application.HepReader}, where the other views are, since HEP also occurs
 * in captures.
 */
@NullMarked
package io.offhook.hep;

import org.jspecify.annotations.NullMarked;
