/** The cost of handing a structure to native code, from a Java object to C or C++. */
@NullMarked
package io.offhook.research.messages;

import org.jspecify.annotations.NullMarked;
