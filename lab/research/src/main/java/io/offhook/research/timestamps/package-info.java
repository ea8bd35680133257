/** What reading a timestamp costs. */
@NullMarked
package io.offhook.research.timestamps;

import org.jspecify.annotations.NullMarked;
