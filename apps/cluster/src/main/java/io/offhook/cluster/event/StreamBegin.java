package io.offhook.cluster.event;

import io.offhook.packet.Endpoint;

/**
 * A stream began: the first of its events.
 *
 * @param stream its name
 * @param source its sender
 * @param destination its receiver
 * @param ssrc 32 bits, unsigned
 * @param firstFrame of its first packet, counted by the probe
 * @param mode how its packets are reported
 * @param unknown what this release does not know of it
 */
public record StreamBegin(
        StreamId stream, Endpoint source, Endpoint destination, long ssrc, long firstFrame, Mode mode, Octets unknown)
        implements EventBody {
    /** Checks the ranges. */
    public StreamBegin {
        Limits.range("ssrc", ssrc, 0, 0xffff_ffffL);
        Limits.count("first_frame", firstFrame);
    }

    /** How packets are reported. */
    public enum Mode {
        /** Unknown, or unknown to this release. */
        UNSPECIFIED,
        /** By {@link StreamInterval}. */
        FIGURES,
        /** Packet by packet, by an event that has no record yet. */
        ROWS
    }
}
