/**
 * The sources of packets, files and interfaces, and the options that select them.
 */
@NullMarked
package io.offhook.cli.input;

import org.jspecify.annotations.NullMarked;
