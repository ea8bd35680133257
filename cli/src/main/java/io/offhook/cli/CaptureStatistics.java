package io.offhook.cli;

import io.offhook.live.LiveCounts;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFormat;
import java.util.List;
import java.util.Locale;

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
record CaptureStatistics(
        String path,
        CaptureFormat format,
        CaptureCompression compression,
        long startNs,
        long endNs,
        End endedBy,
        long files,
        long fileBytes,
        long packetBytes,
        long captured,
        long written,
        long diskDrops,
        LiveCounts counts,
        List<Interface> interfaces,
        List<CaptureFault> faults) {
    /** Why it ended. */
    enum End {
        /** As many packets as asked for. */
        COUNT,
        /** As long as asked for. */
        DURATION,
        /** As many bytes as asked for. */
        BYTES,
        /** Ctrl-C, SIGTERM, SIGHUP. */
        SIGNAL,
        /** The interfaces have gone. */
        INTERFACES,
        /** The disk is full, or who read a pipe has gone. */
        UNWRITABLE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Of one interface.
     *
     * @param captured packets that it handed over
     * @param diskDrops those that there was no room for
     */
    record Interface(String name, int linkType, long captured, long diskDrops, LiveCounts counts) {}
}
