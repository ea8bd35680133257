package io.offhook.cli.capture;

import io.offhook.cli.input.CaptureEnd;
import io.offhook.live.LiveCounts;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFormat;
import java.util.List;

/**
 * What {@code offhook capture} says at its end.
 *
 * @param path as {@code -w} gave it
 * @param startNs when it began, nanoseconds since the epoch
 * @param endNs when it ended
 * @param files made, deleted ones included
 * @param fileBytes of all files, before compression
 * @param packetBytes of the packets that were captured
 * @param captured packets that interfaces handed over
 * @param written packets that can be read in the files, or could in deleted ones
 * @param diskDrops packets that were captured and not written
 * @param counts of all interfaces together
 * @param faults of interfaces
 */
public record CaptureStatistics(
        String path,
        CaptureFormat format,
        CaptureCompression compression,
        long startNs,
        long endNs,
        CaptureEnd endedBy,
        long files,
        long fileBytes,
        long packetBytes,
        long captured,
        long written,
        long diskDrops,
        LiveCounts counts,
        List<Interface> interfaces,
        List<CaptureFault> faults) {
    /**
     * Of one interface.
     *
     * @param captured packets that it handed over
     * @param diskDrops those that there was no room for
     */
    public record Interface(String name, int linkType, long captured, long diskDrops, LiveCounts counts) {}
}
