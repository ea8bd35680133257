/** How a C structure lies in memory, and what that costs to read from Java and from C. */
@NullMarked
package io.offhook.research.layout;

import org.jspecify.annotations.NullMarked;
