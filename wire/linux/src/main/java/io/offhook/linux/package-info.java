/**
 * Bindings to the Linux kernel, without policy: the manual page that each class names defines the behaviour of a call.
 * The entry points are {@link io.offhook.linux.raw.NativeSocket}, which maps memory shared with the kernel, and
 * {@link io.offhook.linux.raw.Poller}, which waits for it.
 *
 * <p>The functions are in one class per C header, which is not exported; they return as system calls do, with a
 * negative errno on failure. Exported classes turn a failure into a {@link io.offhook.linux.LinuxException} unless it
 * is an ordinary result. Functions are linked on first use, because linking takes tens of milliseconds.
 */
@NullMarked
package io.offhook.linux;

import org.jspecify.annotations.NullMarked;
