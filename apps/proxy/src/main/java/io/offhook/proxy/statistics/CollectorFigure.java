package io.offhook.proxy.statistics;

/**
 * The pauses of a garbage collector, in which nothing else ran.
 *
 * @param name as the virtual machine calls it: "G1 Young Generation"
 * @param pauses how many
 * @param totalMs all of them together, in milliseconds
 * @param mostMs the longest, in milliseconds
 */
public record CollectorFigure(String name, long pauses, long totalMs, long mostMs) {}
