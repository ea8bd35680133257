/**
 * Capture files in and out. {@link io.offhook.pcap.PacketSource} hands out batches of frames; {@code CaptureFiles} opens
 * one file, many, or standard input as such a source; {@link io.offhook.pcap.PacketSink} takes frames to write.
 */
@NullMarked
package io.offhook.pcap;

import org.jspecify.annotations.NullMarked;
