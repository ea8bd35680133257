package io.offhook.analysis;

import io.offhook.packet.PlacedCount;

/**
 * The counters of decoding. Each batch of a round has its own; they are added up at the end, so that the sums do not
 * depend on the number of lanes.
 */
final class CaptureCounters {
    long packets;
    long capturedBytes;
    long rtpLike;
    long rtcp;

    final PlacedCount udpUnknown = new PlacedCount();
    final PlacedCount sipPartial = new PlacedCount();
    final PlacedCount hepMalformed = new PlacedCount();
    final PlacedCount hepOther = new PlacedCount();
    final PlacedCount hepInflateFailed = new PlacedCount();
    final PlacedCount hepKeepAlives = new PlacedCount();
    final PlacedCount snapped = new PlacedCount();
    final PlacedCount truncated = new PlacedCount();
    final PlacedCount malformed = new PlacedCount();
    final PlacedCount unsupported = new PlacedCount();
    final PlacedCount tooDeep = new PlacedCount();
    /** Exceptions that were contained. */
    final Failures failures = new Failures();

    /** Counts a packet at which the decoder failed. */
    void defect(RuntimeException thrown, long number, long timestampNs) {
        failures.add(Failures.Kind.PACKET, thrown, number, timestampNs);
    }

    void add(CaptureCounters other) {
        failures.add(other.failures);
        packets += other.packets;
        capturedBytes += other.capturedBytes;
        rtpLike += other.rtpLike;
        rtcp += other.rtcp;
        udpUnknown.add(other.udpUnknown);
        sipPartial.add(other.sipPartial);
        hepMalformed.add(other.hepMalformed);
        hepOther.add(other.hepOther);
        hepInflateFailed.add(other.hepInflateFailed);
        hepKeepAlives.add(other.hepKeepAlives);
        snapped.add(other.snapped);
        truncated.add(other.truncated);
        malformed.add(other.malformed);
        unsupported.add(other.unsupported);
        tooDeep.add(other.tooDeep);
    }
}
