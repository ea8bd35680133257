package io.offhook.cluster.spool;

import io.offhook.cluster.event.Octets;

/**
 * An encoded event, with what one must know of it to send it, and to say that it is lost.
 *
 * @param partition it was numbered for
 * @param incarnation of the probe that numbered it
 * @param sequence its number
 * @param key of the event
 * @param atNs when it happened, nanoseconds since the epoch
 * @param octets of the event
 */
public record SpooledEvent(int partition, long incarnation, long sequence, long key, long atNs, Octets octets) {}
