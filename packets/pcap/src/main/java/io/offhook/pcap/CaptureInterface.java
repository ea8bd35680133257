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
 * @param frameCheckBytes bytes of the frame check sequence that frames end with; {@link #FRAME_CHECK_NOT_TOLD} where the
 *     file does not say
 */
public record CaptureInterface(
        String file,
        int linkType,
        long snapLength,
        long timestampUnitsPerSecond,
        long timestampOffsetSeconds,
        @Nullable String name,
        int frameCheckBytes) {

    /** What {@link #frameCheckBytes} is where nothing is said of it. */
    public static final int FRAME_CHECK_NOT_TOLD = -1;

    /** One that does not say whether there is a frame check sequence. */
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
