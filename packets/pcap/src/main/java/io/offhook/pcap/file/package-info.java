/**
 * Capture files by path and by channel. {@link io.offhook.pcap.file.CaptureFiles} opens one file, several merged by
 * time, or standard input as a source of packets; {@link io.offhook.pcap.file.CaptureMemory} keeps captures in memory.
 * {@link io.offhook.pcap.file.PcapWriter} and {@link io.offhook.pcap.file.PcapNgWriter} write packets, {@link
 * io.offhook.pcap.file.RotatingSink} writes them into a series of files. {@link io.offhook.pcap.file.CaptureRewrite}
 * edits, merges and splits files and keeps everything else in them. {@link io.offhook.pcap.file.PcapNgBlockView} reads
 * any pcapng block, {@link io.offhook.pcap.file.PcapNgBlockWriter} writes it.
 */
@NullMarked
package io.offhook.pcap.file;

import org.jspecify.annotations.NullMarked;
