/**
 * The command line: options, parameters and exit codes of commands.
 */
@NullMarked
package io.offhook.cli.command;

import org.jspecify.annotations.NullMarked;
