/** How {@code offhook calls} would scale to more cores than there are at hand: measured on one, simulated for many. */
@NullMarked
package io.offhook.bench.lanes;

import org.jspecify.annotations.NullMarked;
