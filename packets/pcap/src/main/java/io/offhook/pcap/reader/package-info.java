/**
 * The readers of the formats, for {@code CaptureFiles}. {@link io.offhook.pcap.reader.InputBytes} is one file, {@link
 * io.offhook.pcap.reader.MappedInput mapped}, or {@link io.offhook.pcap.reader.StreamedInput streamed} through a
 * decompressing channel. Its {@link io.offhook.pcap.reader.RecordReader} finds the packets in a window of its bytes and
 * adds them to a batch by reference. Interfaces, faults and losses go to lists shared by all files of a source.
 */
@NullMarked
package io.offhook.pcap.reader;

import org.jspecify.annotations.NullMarked;
