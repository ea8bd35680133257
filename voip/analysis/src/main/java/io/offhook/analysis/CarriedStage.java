package io.offhook.analysis;

import io.offhook.calls.event.PacketContext;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Unwraps what other protocols carry, in the order of capture, because what a packet of theirs means depends on those
 * before it: relays of TURN, and messages in several chunks of SCTP. What is found takes the place of the frame that
 * completes it. Single-threaded.
 */
final class CarriedStage {
    /**
     * A packet of a protocol that carries SIP or media for others, in the batch that is being read. What it means depends on
     * packets before it.
     *
     * @param kind what it is
     * @param segment with its bytes, until the end of the round
     * @param offset of the payload of its transport
     * @param length captured bytes of that payload
     * @param wireLength bytes of it that were sent
     * @param context when and where it was captured
     */
    record Packet(Kind kind, MemorySegment segment, long offset, int length, int wireLength, PacketContext context) {

        /** What carries. */
        enum Kind {
            /** TURN: a channel, an indication, or a message that says what they stand for (RFC 8656). */
            TURN,
            /** Chunks of SCTP with data of no registered protocol, which is what SIP is sent as (RFC 4168). */
            SCTP,
            /** HEP whose payload is compressed, or text, so that it needs memory. */
            HEP
        }
    }

    private final RoundMemory memory;
    private final Failures failures;
    private final TurnRelays relays = new TurnRelays();
    private final SctpMessages sctp;
    private final HepPackets hep;

    CarriedStage(Arena arena, Failures failures) {
        memory = new RoundMemory(arena);
        this.failures = failures;
        sctp = new SctpMessages(memory);
        hep = new HepPackets(new HepDocuments(memory));
    }

    /**
     * Processes packets of a batch up to a frame.
     *
     * @param from the index of the first one
     * @param beforeFrame the number of the first frame that is not processed
     * @return the index of the first packet that is left
     */
    int accept(List<Packet> packets, int from, long beforeFrame, BatchEvents out) {
        int i = from;
        for (; i < packets.size() && packets.get(i).context().frameNumber() < beforeFrame; i++) {
            Packet packet = packets.get(i);
            try {
                switch (packet.kind()) {
                    case TURN -> relays.packet(packet, out);
                    case SCTP -> sctp.packet(packet, out);
                    case HEP -> hep(packet, out);
                }
            } catch (RuntimeException e) { // a bug in this library: the other packets still count
                failures.add(
                        Failures.Kind.PACKET,
                        e,
                        packet.context().frameNumber(),
                        packet.context().timestampNs());
            }
        }
        return i;
    }

    private void hep(Packet packet, BatchEvents out) {
        PacketContext context = packet.context();
        boolean _ = hep.packet(
                packet.segment(), packet.offset(), packet.length(), context.frameNumber(), context.timestampNs(), out);
    }

    TurnRelays relays() {
        return relays;
    }

    SctpMessages sctp() {
        return sctp;
    }

    void endRound() {
        memory.clear();
    }
}
