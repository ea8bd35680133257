package io.offhook.analysis;

import io.offhook.packet.PlacedCount;

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
    /** What threw, which is a mistake in this library, and was passed over. */
    final Failures failures = new Failures();

    /** A packet made the decoder throw. */
    void defect(RuntimeException thrown, long number, long timestampNs) {
        failures.add(Failures.Kind.PACKET, thrown, number, timestampNs);
    }

    void add(CaptureCounters other) {
        failures.add(other.failures);
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
