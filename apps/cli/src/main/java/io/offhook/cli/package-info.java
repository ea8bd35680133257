/**
 * The {@code offhook} command.
 *
 * <p>{@link io.offhook.cli.Main} finds the {@link io.offhook.cli.command.Command} that the first word names. A command reads its
 * files through {@link io.offhook.cli.input.OpenCapture}, keeps what {@link io.offhook.cli.calls.CallFilter} lets through, and prints
 * it as a {@link io.offhook.cli.terminal.Table}, or as JSON or CSV through a {@link io.offhook.cli.fields.FieldWriter}. All that it
 * touches of the process is its {@link io.offhook.cli.terminal.Terminal}.
 */
@NullMarked
package io.offhook.cli;

import org.jspecify.annotations.NullMarked;
