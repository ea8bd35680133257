package io.offhook.pcap;

import org.jspecify.annotations.Nullable;

/**
 * The interface that a frame was captured on, as described in its file.
 *
 * @param file the path of the file, as given; "-" for standard input
 * @param linkType a {@link io.offhook.packet.LinkType} value
 * @param snapLength the most bytes captured of a frame; 0 for no limit
 * @param timestampUnitsPerSecond the resolution of its timestamps: 1 to 10^18, or a power of two
 * @param timestampOffsetSeconds the seconds that are added to each timestamp
 * @param name its name in the file (if_name), or null
 * @param frameCheckBytes the length of the frame check sequence at the end of each frame; {@link #FRAME_CHECK_NOT_TOLD}
 *     if the file does not declare it
 */
public record CaptureInterface(
        String file,
        int linkType,
        long snapLength,
        long timestampUnitsPerSecond,
        long timestampOffsetSeconds,
        @Nullable String name,
        int frameCheckBytes) {

    /** The value of {@link #frameCheckBytes} if the file does not declare it. */
    public static final int FRAME_CHECK_NOT_TOLD = -1;

    /** Creates an interface that does not declare whether there is a frame check sequence. */
    public CaptureInterface(
            String file,
            int linkType,
            long snapLength,
            long timestampUnitsPerSecond,
            long timestampOffsetSeconds,
            @Nullable String name) {
        this(file, linkType, snapLength, timestampUnitsPerSecond, timestampOffsetSeconds, name, FRAME_CHECK_NOT_TOLD);
    }
}
