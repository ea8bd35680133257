/** How Java and native code share a packet: copied into an object or a buffer, or read and written where it lies. */
@NullMarked
package io.offhook.research.sharing;

import org.jspecify.annotations.NullMarked;
