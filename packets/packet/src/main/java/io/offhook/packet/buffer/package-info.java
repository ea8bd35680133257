/**
 * Reads several stretches of memory as one. {@link io.offhook.packet.buffer.CompositeBuffer} reads and searches a list
 * of stretches; {@link io.offhook.packet.buffer.SlidingWindow} does so over an endless stream, whose bytes the reader
 * releases.
 */
@NullMarked
package io.offhook.packet.buffer;

import org.jspecify.annotations.NullMarked;
