/**
 * The formats pcap and pcapng. {@link io.offhook.pcap.format.PcapWriter} and {@link
 * io.offhook.pcap.format.PcapNgWriter} write packets; {@link io.offhook.pcap.format.PcapNgBlockView} reads any block
 * of pcapng with its options, {@link io.offhook.pcap.format.PcapNgBlockWriter} writes one. Readers are opened through
 * {@code CaptureFiles}, which recognises formats by content.
 */
@NullMarked
package io.offhook.pcap.format;

import org.jspecify.annotations.NullMarked;
