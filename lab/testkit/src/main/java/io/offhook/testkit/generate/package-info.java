/**
 * {@code offhook generate}: a capture of many calls, drawn at random from a mix, and its truth in a file beside it.
 *
 * <p>{@link io.offhook.testkit.generate.Main} reads {@link io.offhook.testkit.generate.GenerateOptions}, by which
 * {@link io.offhook.testkit.generate.GeneratedTraffic} fills a {@link io.offhook.testkit.traffic.Traffic}.
 */
@NullMarked
package io.offhook.testkit.generate;

import org.jspecify.annotations.NullMarked;
