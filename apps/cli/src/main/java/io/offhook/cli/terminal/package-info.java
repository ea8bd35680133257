/**
 * The standard streams of the process, and what is printed: text, tables, times, a status line.
 */
@NullMarked
package io.offhook.cli.terminal;

import org.jspecify.annotations.NullMarked;
