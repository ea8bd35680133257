/**
 * The commands {@code calls}, {@code streams}, {@code registrations} and {@code info}, on files and live.
 */
@NullMarked
package io.offhook.cli.calls;

import org.jspecify.annotations.NullMarked;
