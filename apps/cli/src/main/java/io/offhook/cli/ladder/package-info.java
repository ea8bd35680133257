/**
 * The command {@code call}: one call as a ladder of its messages.
 */
@NullMarked
package io.offhook.cli.ladder;

import org.jspecify.annotations.NullMarked;
