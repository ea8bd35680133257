/**
 * The command {@code print}: one line per packet, or every layer with its fields.
 */
@NullMarked
package io.offhook.cli.print;

import org.jspecify.annotations.NullMarked;
