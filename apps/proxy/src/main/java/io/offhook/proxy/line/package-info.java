/**
 * Lines that a proxy writes while it runs: its log and its call records. Any thread hands an item to a
 * {@link io.offhook.proxy.line.LineWriter}, which never waits: a bounded ring, and a count of what had no room. One thread
 * turns items into text and writes them to a {@link io.offhook.proxy.line.LineOutput}, a stream or a
 * {@link io.offhook.proxy.line.LineFile} that can be opened again when its file was moved away.
 * {@link io.offhook.proxy.line.JsonLine} builds a line of JSON in which nothing from the network can steer a terminal.
 */
@NullMarked
package io.offhook.proxy.line;

import org.jspecify.annotations.NullMarked;
