package io.offhook.analysis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pipeline has read.
 *
 * @param packets frames read
 * @param bytes captured bytes of the frames
 * @param firstNs time of the first packet in the order of the source, nanoseconds since the epoch; 0 without packets
 * @param lastNs time of the last packet in that order
 * @param counters what was not understood, dropped or evicted; only counters above zero
 * @param defect the first exception that was contained, thrown by a consumer or the decoder; null if there was none
 */
public record PipelineReport(
        long packets,
        long bytes,
        long firstNs,
        long lastNs,
        List<CaptureReport.Counter> counters,
        @Nullable RuntimeException defect) {}
