/** The cost of examining a packet on the capture thread, or of handing it over to another thread. */
@NullMarked
package io.offhook.research.handover;

import org.jspecify.annotations.NullMarked;
