package io.offhook.analysis;

import io.offhook.packet.PlacedCount;
import org.jspecify.annotations.Nullable;

/**
 * What was counted on the way of the packets. Each lane has its own, added up at the end, so that the sums do not depend
 * on how many lanes there were.
 */
final class CaptureCounters {
    long packets;
    long capturedBytes;
    long rtpLike;
    long rtcp;
    long udpUnknown;

    final PlacedCount snapped = new PlacedCount();
    final PlacedCount truncated = new PlacedCount();
    final PlacedCount malformed = new PlacedCount();
    final PlacedCount unsupported = new PlacedCount();
    final PlacedCount tooDeep = new PlacedCount();
    final PlacedCount defects = new PlacedCount();

    /** What the first of the defects threw. */
    @Nullable
    RuntimeException firstDefect;

    /** A packet made the decoder throw, which is a mistake in it. */
    void defect(RuntimeException thrown, long number, long timestampNs) {
        if (firstDefect == null || number < defects.firstFrame()) {
            firstDefect = thrown;
        }
        defects.add(number, timestampNs);
    }

    void add(CaptureCounters other) {
        if (firstDefect == null || other.firstDefect != null && other.defects.firstFrame() < defects.firstFrame()) {
            firstDefect = other.firstDefect;
        }
        defects.add(other.defects);
        packets += other.packets;
        capturedBytes += other.capturedBytes;
        rtpLike += other.rtpLike;
        rtcp += other.rtcp;
        udpUnknown += other.udpUnknown;
        snapped.add(other.snapped);
        truncated.add(other.truncated);
        malformed.add(other.malformed);
        unsupported.add(other.unsupported);
        tooDeep.add(other.tooDeep);
    }
}
