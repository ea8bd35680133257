/**
 * What a command is: its options, its arguments, its exit code.
 */
@NullMarked
package io.offhook.cli.command;

import org.jspecify.annotations.NullMarked;
