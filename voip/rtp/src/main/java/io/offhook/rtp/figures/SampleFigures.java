package io.offhook.rtp.figures;

import java.util.List;

/**
 * Some packets of a stream, by which it can be found at another point of its way; {@code io.offhook.rtp.PacketLog} has them.
 *
 * @param packets in the order of the capture
 * @param dropped further ones, for which there was no room
 */
public record SampleFigures(List<Packet> packets, long dropped) {
    /** Copies the list. */
    public SampleFigures {
        packets = List.copyOf(packets);
    }

    /**
     * A packet.
     *
     * @param arrivalNs nanoseconds since the epoch
     * @param header timestamp (32) | sequence number (16) | 0 (8) | marker (1) | payload type (7)
     * @param print of its payload
     */
    public record Packet(long arrivalNs, long header, int print) {}
}
