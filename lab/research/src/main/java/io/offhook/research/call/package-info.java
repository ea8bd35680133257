/** The cost of a call from Java to native code and back. */
@NullMarked
package io.offhook.research.call;

import org.jspecify.annotations.NullMarked;
