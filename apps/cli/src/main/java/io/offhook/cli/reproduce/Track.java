package io.offhook.cli.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The RTP packets that one side sent on a leg, by time.
 *
 * @param packets whole packets from the RTP header on
 * @param leftOut packets that are not played: too long for sipp, or beyond the memory for them
 * @param padded how many packets the snap length cut, which are filled up with zeros
 */
record Track(List<Packet> packets, long leftOut, long padded) {
    /** A track without packets. */
    static final Track NONE = new Track(List.of(), 0, 0);

    /**
     * A packet.
     *
     * @param atNs when it was captured, nanoseconds since the epoch
     * @param line the media line of SDP that it is of, from 0 on
     * @param octets from the RTP header on
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Packet(long atNs, int line, byte[] octets) {}

    /** The packets that a timeline plays, with the times at which it does. */
    Track on(Timeline timeline) {
        List<Packet> played = new ArrayList<>(packets.size());
        for (Packet packet : packets) {
            long atNs = timeline.playedNs(packet.atNs);
            if (atNs >= 0) {
                played.add(new Packet(atNs, packet.line, packet.octets));
            }
        }
        return new Track(played, leftOut + packets.size() - played.size(), padded);
    }

    /** The media lines that packets are of. */
    Set<Integer> lines() {
        Set<Integer> lines = new TreeSet<>();
        packets.forEach(packet -> lines.add(packet.line));
        return lines;
    }

    boolean isEmpty() {
        return packets.isEmpty();
    }

    long firstNs() {
        return packets.getFirst().atNs;
    }

    long lastNs() {
        return packets.getLast().atNs;
    }
}
