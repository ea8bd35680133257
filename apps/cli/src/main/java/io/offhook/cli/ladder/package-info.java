/**
 * The command {@code call}: one call as a ladder of its messages. {@link io.offhook.cli.ladder.HopLadder} draws the same from
 * what a proxy remembers.
 */
@NullMarked
package io.offhook.cli.ladder;

import org.jspecify.annotations.NullMarked;
