package io.offhook.pcap;

import org.jspecify.annotations.Nullable;

/**
 * The interface that a frame was captured on, as its file tells.
 *
 * @param file the path of the file, as given; "-" for standard input
 * @param linkType a {@link io.offhook.packet.LinkType} value
 * @param snapLength most bytes captured of a frame; 0 for no limit
 * @param timestampUnitsPerSecond what its timestamps count, 1 to 10^18 or a power of two
 * @param timestampOffsetSeconds what is added to each timestamp
 * @param name as the file tells it (if_name), or null
 */
public record CaptureInterface(
        String file,
        int linkType,
        long snapLength,
        long timestampUnitsPerSecond,
        long timestampOffsetSeconds,
        @Nullable String name) {}
