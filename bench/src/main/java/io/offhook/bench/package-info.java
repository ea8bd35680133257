/** Benchmarks. */
@NullMarked
package io.offhook.bench;

import org.jspecify.annotations.NullMarked;
