package io.offhook.monitor;

/**
 * How many virtual threads of a JVM do what. The JVM counts those that run; those that wait are found in a dump to a file only.
 *
 * @param mounted that a thread of the scheduler carries: they run, or wait and hold their carrier (are pinned)
 * @param queued that could run, but have no carrier; -1 if the JVM does not say: it does from Java 24 on
 * @param parallelism how many may run at a time; -1 if the JVM does not say
 */
public record VirtualThreads(int mounted, int queued, int parallelism) {}
