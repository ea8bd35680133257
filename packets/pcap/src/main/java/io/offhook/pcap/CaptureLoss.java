package io.offhook.pcap;

/**
 * Packets that were lost while a file was captured, as the file itself tells: they came somewhere between two frames, and
 * are not in it.
 *
 * @param file the path of the file, as given; "-" for standard input
 * @param packets how many, 1 or more
 * @param firstFrame the last frame before the loss, else the first behind it, by its number in that file (1-based); 0 where
 *     the file has none
 * @param lastFrame the first frame that is surely behind the loss, else the last before it
 * @param fromNs time of the first frame, nanoseconds since the epoch
 * @param untilNs time of the last frame, {@code fromNs} or later
 */
public record CaptureLoss(String file, long packets, long firstFrame, long lastFrame, long fromNs, long untilNs) {}
