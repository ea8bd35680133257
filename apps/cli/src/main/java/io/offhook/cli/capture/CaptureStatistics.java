package io.offhook.cli.capture;

import io.offhook.cli.input.CaptureEnd;
import io.offhook.live.LiveCounts;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFormat;
import java.util.List;

/**
 * The final report of {@code offhook capture}.
 *
 * @param path the value of {@code -w}
 * @param startNs the start of the capture, nanoseconds since the epoch
 * @param endNs the end of the capture, nanoseconds since the epoch
 * @param files the number of files written, including those deleted since
 * @param fileBytes the size of all files, before compression
 * @param packetBytes the bytes of captured packets
 * @param captured packets delivered by the interfaces
 * @param written packets in the files, including files deleted since
 * @param diskDrops packets captured but not written
 * @param counts the counters of all interfaces together
 * @param faults faults of the interfaces
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
     * The statistics of one interface.
     *
     * @param captured packets that it delivered
     * @param diskDrops packets captured but not written
     */
    public record Interface(String name, int linkType, long captured, long diskDrops, LiveCounts counts) {}
}
