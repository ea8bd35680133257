/** Packets forwarded by DPDK, from C and from Java. */
@NullMarked
package io.offhook.research.forwarding;

import org.jspecify.annotations.NullMarked;
