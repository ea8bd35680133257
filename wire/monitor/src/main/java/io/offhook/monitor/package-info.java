/**
 * What the threads of a process do: {@link io.offhook.monitor.ThreadWatch} reads them at intervals, and reports for each how
 * long it ran, in user and in system mode, how long it waited for a processor, how often it was switched and moved, over the last
 * interval, over 15 seconds and in all. Any process of Linux that may be looked at; nothing is started in it.
 *
 * <p>{@link io.offhook.monitor.JavaWatch} adds, for a HotSpot JVM, the states of its Java threads, their names, locks and deadlocks, and
 * its pauses. Samples of the JVM's memory ({@code HotSpotThreads}) tell states, joined with the kernel's exact times
 * ({@code StateCounts}); dumps ({@code AttachSocket}, {@code ThreadDump}) tell names and locks, and teach which waiting is which
 * ({@code WaitKinds}); Flight Recorder ({@code PauseStream}) tells pauses, and on request hot methods and allocation ({@code ProfileStream}), and is the one thing that is started in the process.
 *
 * <p>{@link io.offhook.monitor.LaneWatch} adds what the process publishes of its lanes, as live commands of Offhook do.
 */
@NullMarked
package io.offhook.monitor;

import org.jspecify.annotations.NullMarked;
