/** IP fragments and TCP streams put together, within hard budgets. */
@NullMarked
package io.offhook.flow;

import org.jspecify.annotations.NullMarked;
