/** How {@code offhook calls} would scale to more cores than the machine has: measured on one, simulated for many. */
@NullMarked
package io.offhook.bench.lanes;

import org.jspecify.annotations.NullMarked;
