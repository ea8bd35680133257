package io.offhook.store.query;

/**
 * How a question was answered.
 *
 * @param rows of the result that were delivered
 * @param isCut whether there are more, beyond the limit
 */
public record SqlResult(long rows, boolean isCut) {}
