package io.offhook.doctor;

/**
 * A queue that grew.
 *
 * @param subject a socket with its owner, or an interface
 * @param before the length at the first look
 * @param waiting the current length
 * @param limit the longest length; 0 if unknown
 * @param unit the unit of all three: {@code bytes}, {@code packets}
 */
public record QueueLevel(String subject, long before, long waiting, long limit, String unit) {}
