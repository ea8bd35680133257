/**
 * The C library, one class per header. Functions return as system calls do, with a negative errno on failure. Not
 * exported.
 */
@NullMarked
package io.offhook.linux.libc;

import org.jspecify.annotations.NullMarked;
