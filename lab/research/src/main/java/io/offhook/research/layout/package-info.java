/** The layout of C structures in memory, and the cost of reading them from Java and from C. */
@NullMarked
package io.offhook.research.layout;

import org.jspecify.annotations.NullMarked;
