/** Packets forwarded by DPDK, from C and from Java. */
@NullMarked
package io.offhook.bench.forwarding;

import org.jspecify.annotations.NullMarked;
