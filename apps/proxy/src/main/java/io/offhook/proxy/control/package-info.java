/**
 * Commands to a proxy that runs, over a socket that only its owner may open. {@link io.offhook.proxy.control.ControlServer}
 * answers them, each a {@link io.offhook.proxy.control.ControlCommand}; {@link io.offhook.proxy.control.ControlClient} asks
 * them. A request is a line: words with tabs between. An answer is lines of JSON, one object each, and a last one with
 * {@code ok}: {@code printf 'calls\n' | socat - UNIX:PATH} works as well.
 */
@NullMarked
package io.offhook.proxy.control;

import org.jspecify.annotations.NullMarked;
