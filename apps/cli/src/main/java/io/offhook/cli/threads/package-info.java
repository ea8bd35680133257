/**
 * {@code offhook threads}: {@link io.offhook.cli.threads.ThreadsCommand} watches the threads of a process, which
 * {@link io.offhook.monitor.ThreadWatch} reads.
 */
@NullMarked
package io.offhook.cli.threads;

import org.jspecify.annotations.NullMarked;
