/**
 * The command {@code print}: a line a packet, or every layer with its fields.
 */
@NullMarked
package io.offhook.cli.print;

import org.jspecify.annotations.NullMarked;
