/** What it costs to hand a structure to native code, from Java object to C or C++. */
@NullMarked
package io.offhook.research.messages;

import org.jspecify.annotations.NullMarked;
