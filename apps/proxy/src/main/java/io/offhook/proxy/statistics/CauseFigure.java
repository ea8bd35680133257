package io.offhook.proxy.statistics;

/**
 * A counter of a group of causes.
 *
 * @param group what the causes have in common: "dropped"
 * @param cause the cause: "too_large"
 * @param count how often
 */
public record CauseFigure(String group, String cause, long count) {}
