/**
 * Finds what would lose packets on a Linux machine, and the commands that change it. The entry point is
 * {@link io.offhook.doctor.Doctor}, which compares two looks at the counters.
 *
 * <p>{@code SystemTree} reads {@code /proc} and {@code /sys}, of this machine or of a copy of another's;
 * {@code KernelTables} asks the kernel for values that no file contains. Parsers without state produce a {@code Sample}
 * of the counters and a {@code Machine} of the settings; rules, one class per area, derive
 * {@link io.offhook.doctor.Finding}s from both. Nothing here changes a setting.
 */
@NullMarked
package io.offhook.doctor;

import org.jspecify.annotations.NullMarked;
