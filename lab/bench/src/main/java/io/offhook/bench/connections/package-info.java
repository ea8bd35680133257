/**
 * TCP servers that do the same: connections on event loops (`transport`), NIO.2, and virtual threads; and a client that
 * loads them. {@code lab/bench/connections} runs them.
 */
@NullMarked
package io.offhook.bench.connections;

import org.jspecify.annotations.NullMarked;
