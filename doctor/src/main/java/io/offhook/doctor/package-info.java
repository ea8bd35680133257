/**
 * What on a Linux machine would lose packets, and the commands that change it. Entry is {@link io.offhook.doctor.Doctor}:
 * it looks twice, and compares.
 *
 * <p>{@code SystemTree} reads {@code /proc} and {@code /sys}, of this machine or of a copy of another one's;
 * {@code KernelTables} asks the kernel what no file tells. Pure readers make a {@code Sample} of the counters and a
 * {@code Machine} of the settings; rules, a class an area, make {@link io.offhook.doctor.Finding}s of both. Nothing here
 * changes a setting.
 */
@NullMarked
package io.offhook.doctor;

import org.jspecify.annotations.NullMarked;
