/**
 * Capture files by path. {@link io.offhook.pcap.file.CaptureFiles} opens one file, several merged by time, or standard
 * input as a source of packets; {@link io.offhook.pcap.file.CaptureMemory} keeps captures in memory; {@link
 * io.offhook.pcap.file.CaptureRewrite} edits, merges and splits files; {@link io.offhook.pcap.file.RotatingSink}
 * writes files that follow each other.
 */
@NullMarked
package io.offhook.pcap.file;

import org.jspecify.annotations.NullMarked;
