/**
 * Capture files in and out. {@link io.offhook.pcap.PacketSource} delivers batches of frames; {@code CaptureFiles} opens one
 * file, several, or standard input as such a source; {@link io.offhook.pcap.PacketSink} takes frames to write.
 *
 * <p>The way in: a file or pipe, decompressed if needed; a reader of its format; a {@link io.offhook.packet.FrameBatch} with
 * frames by reference; optionally a {@link io.offhook.pcap.FilteredSource}. The package {@code file} has what opens, keeps,
 * writes and rewrites files. Damage is reported ({@link io.offhook.pcap.CaptureFault}), never thrown; only a
 * file that is truncated under a rewrite is an exception.
 */
@NullMarked
package io.offhook.pcap;

import org.jspecify.annotations.NullMarked;
