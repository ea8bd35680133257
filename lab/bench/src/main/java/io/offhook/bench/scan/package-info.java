/** Scans all headers of some thousand different packets in memory, again and again, as in jNetPcap's published test. */
@NullMarked
package io.offhook.bench.scan;

import org.jspecify.annotations.NullMarked;
