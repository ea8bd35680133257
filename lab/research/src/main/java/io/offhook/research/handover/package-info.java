/** What it costs to look at a packet where it was captured, or to hand it over to another thread. */
@NullMarked
package io.offhook.research.handover;

import org.jspecify.annotations.NullMarked;
