/**
 * {@code offhook bench}: questions about Java and native memory, answered by measuring, and the report of the answers.
 *
 * <p>{@link io.offhook.research.Main} runs {@link io.offhook.research.Suite}s, each in a package of its own, and writes the
 * report after each.
 */
@NullMarked
package io.offhook.research;

import org.jspecify.annotations.NullMarked;
