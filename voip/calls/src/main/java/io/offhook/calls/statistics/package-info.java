/**
 * Figures of many calls, as operators of telephone networks judge routes by them: {@link
 * io.offhook.calls.statistics.CallStatistics} counts finished reports, and neither sees packets nor keeps calls. Terms are
 * those of ITU-T E.425 and E.600.
 */
@NullMarked
package io.offhook.calls.statistics;

import org.jspecify.annotations.NullMarked;
