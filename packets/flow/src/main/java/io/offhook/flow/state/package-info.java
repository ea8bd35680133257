/** Bounded data structures for the state of tables and streams: blocks, keys, ages, ranges. Not exported. */
@NullMarked
package io.offhook.flow.state;

import org.jspecify.annotations.NullMarked;
