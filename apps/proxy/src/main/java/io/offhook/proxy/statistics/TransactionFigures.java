package io.offhook.proxy.statistics;

/**
 * Transactions of one kind.
 *
 * @param kind the kind
 * @param began all since the start
 * @param running those that have not ended
 * @param expired those that ended because the other side was silent (timers B, F and H)
 */
public record TransactionFigures(TransactionKind kind, long began, long running, long expired) {}
