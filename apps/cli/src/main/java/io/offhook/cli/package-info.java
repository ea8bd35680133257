/**
 * The {@code offhook} command.
 *
 * <p>{@link io.offhook.cli.Main} runs the {@link io.offhook.cli.command.Command} that the first argument names. A command reads its
 * files through {@link io.offhook.cli.input.OpenCapture}, keeps what a {@link io.offhook.cli.calls.CallFilter} selects, and prints
 * it as a {@link io.offhook.cli.terminal.Table}, or as JSON or CSV through a {@link io.offhook.report.fields.FieldWriter}. It accesses
 * the streams of the process only through its {@link io.offhook.cli.terminal.Terminal}.
 */
@NullMarked
package io.offhook.cli;

import org.jspecify.annotations.NullMarked;
