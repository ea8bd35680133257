/**
 * Media by figures in the place of packets. A {@code CallAssembly} that counts passes to a {@link
 * io.offhook.calls.figures.FiguresSink} what changed of its streams and conversations; one elsewhere, fed with the same SIP
 * and with these figures, makes the same reports. {@link io.offhook.calls.figures.CapturedStream} says which stream it is.
 */
@NullMarked
package io.offhook.calls.figures;

import org.jspecify.annotations.NullMarked;
