/** What a call costs, from Java to native code and back. */
@NullMarked
package io.offhook.bench.call;

import org.jspecify.annotations.NullMarked;
