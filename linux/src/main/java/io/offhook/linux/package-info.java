/**
 * The Linux kernel, without policy: what a call does is said by its manual page, which each class names. Entry is
 * {@link io.offhook.linux.NativeSocket}, which maps what the kernel shares; {@link io.offhook.linux.Poller} waits for it.
 *
 * <p>One class a C header, not exported, holds the functions; they answer as system calls do, with a negative errno. What
 * is exported turns that into a {@link io.offhook.linux.LinuxException} where it is no ordinary answer. Nothing is linked
 * before it is first used, for that takes tens of milliseconds.
 */
@NullMarked
package io.offhook.linux;

import org.jspecify.annotations.NullMarked;
