/** The cost of cooperation between two threads, by the processors that they run on. */
@NullMarked
package io.offhook.research.threads;

import org.jspecify.annotations.NullMarked;
