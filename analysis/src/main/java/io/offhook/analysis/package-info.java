/** Wires packet sources to lanes to calls. */
@NullMarked
package io.offhook.analysis;

import org.jspecify.annotations.NullMarked;
