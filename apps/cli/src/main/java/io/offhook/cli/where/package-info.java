/**
 * The command {@code where}: {@link io.offhook.cli.where.WhereCommand} reads captures of several points, lets {@link
 * io.offhook.calls.points.PointAnalysis} compare them, and prints for each stream what was lost before, between and after
 * the points.
 */
@NullMarked
package io.offhook.cli.where;

import org.jspecify.annotations.NullMarked;
