/**
 * The command {@code stats}: figures of many calls, by {@link io.offhook.calls.statistics.CallStatistics}.
 */
@NullMarked
package io.offhook.cli.stats;

import org.jspecify.annotations.NullMarked;
