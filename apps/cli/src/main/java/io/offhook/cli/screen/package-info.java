/**
 * The command {@code browse}: calls on a terminal, from files or live. {@link io.offhook.cli.screen.Screen}s draw their state
 * into {@link io.offhook.cli.screen.Cells} and answer keys; {@link io.offhook.cli.screen.Browser} shows the uppermost one, and
 * sends what changed to the terminal. Only {@link io.offhook.cli.screen.KeyInput} knows JLine; no other command loads it.
 */
@NullMarked
package io.offhook.cli.screen;

import org.jspecify.annotations.NullMarked;
