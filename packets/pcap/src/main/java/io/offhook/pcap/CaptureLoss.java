package io.offhook.pcap;

/**
 * Packets that were lost during the capture, as the file itself reports: they arrived between two of its frames.
 *
 * @param file the path of the file, as given; "-" for standard input
 * @param packets their number, at least 1
 * @param firstFrame the number of the last frame before the loss, otherwise of the first after it, in that file
 *     (1-based); 0 if the file has none
 * @param lastFrame the number of the first frame that is certainly after the loss, otherwise of the last before it
 * @param fromNs the time of the first frame, nanoseconds since the epoch
 * @param untilNs the time of the last frame, {@code fromNs} or later
 */
public record CaptureLoss(String file, long packets, long firstFrame, long lastFrame, long fromNs, long untilNs) {}
