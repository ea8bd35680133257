/** All headers of some thousand different packets in memory, again and again: what jNetPcap published figures of. */
@NullMarked
package io.offhook.bench.scan;

import org.jspecify.annotations.NullMarked;
