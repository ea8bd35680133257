/** What reading a timestamp costs. */
@NullMarked
package io.offhook.bench.timestamps;

import org.jspecify.annotations.NullMarked;
