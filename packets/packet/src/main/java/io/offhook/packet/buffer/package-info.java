/**
 * Several stretches of memory read as one. {@link io.offhook.packet.buffer.CompositeBuffer} reads and searches a list
 * of stretches; {@link io.offhook.packet.buffer.SlidingWindow} does so over an endless stream, of which the reader
 * releases what it is done with.
 */
@NullMarked
package io.offhook.packet.buffer;

import org.jspecify.annotations.NullMarked;
