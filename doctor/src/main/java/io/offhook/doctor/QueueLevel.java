package io.offhook.doctor;

/**
 * A queue that got longer.
 *
 * @param subject a socket and whose it is, or an interface
 * @param before what waited at the first look
 * @param waiting what waits now
 * @param limit that may wait; 0 where not told
 * @param unit of all three: {@code bytes}, {@code packets}
 */
public record QueueLevel(String subject, long before, long waiting, long limit, String unit) {}
