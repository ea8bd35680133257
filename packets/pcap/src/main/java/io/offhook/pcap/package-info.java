/**
 * Capture files in and out. {@link io.offhook.pcap.PacketSource} hands out batches of frames; {@code CaptureFiles} opens
 * one file, many, or standard input as such a source; {@link io.offhook.pcap.PacketSink} takes frames to write.
 *
 * <p>File or pipe (decompressed where it must be), then a reader of its format, then a {@link
 * io.offhook.packet.FrameBatch} with frames by reference, perhaps through a {@link io.offhook.pcap.FilteredSource}: that is
 * the way in. {@link io.offhook.pcap.file.CaptureMemory} keeps what came that way; {@link io.offhook.pcap.format.PcapNgWriter}, {@link
 * io.offhook.pcap.format.PcapWriter} and {@link io.offhook.pcap.file.RotatingSink} write it; {@link io.offhook.pcap.file.CaptureRewrite}
 * goes from file to file and keeps all that is not packets. Damage is told ({@link io.offhook.pcap.CaptureFault}), never
 * thrown.
 */
@NullMarked
package io.offhook.pcap;

import org.jspecify.annotations.NullMarked;
