/**
 * Native memory, sockets, readiness and BPF: the building blocks of capture backends and servers. Exported to Offhook's
 * own modules only.
 */
@NullMarked
package io.offhook.linux.raw;

import org.jspecify.annotations.NullMarked;
