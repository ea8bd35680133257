/** Benchmarks: JMH, and the same work in C. */
@NullMarked
package io.offhook.bench;

import org.jspecify.annotations.NullMarked;
