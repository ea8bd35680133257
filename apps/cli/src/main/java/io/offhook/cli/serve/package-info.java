/**
 * The command {@code serve}: {@link io.offhook.cli.serve.ServeCommand} reads files or follows interfaces, writes what it finds
 * into a database, and starts the server that shows it. Nothing of it is loaded by other commands.
 */
@NullMarked
package io.offhook.cli.serve;

import org.jspecify.annotations.NullMarked;
