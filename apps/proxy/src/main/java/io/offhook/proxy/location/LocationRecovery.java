package io.offhook.proxy.location;

/**
 * What was found on disk when a store was opened.
 *
 * @param records records of the snapshot and of the journals after it
 * @param bindings bindings that had not expired
 * @param cutBytes bytes at the end of a file that were no whole record, as a process leaves them that ends while it
 *     writes; they were never acknowledged, and were cut off
 */
public record LocationRecovery(long records, long bindings, long cutBytes) {}
