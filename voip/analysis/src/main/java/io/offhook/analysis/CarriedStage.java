package io.offhook.analysis;

import java.lang.foreign.Arena;
import java.util.List;

/**
 * Unwraps what other protocols carry, in the order of capture, because what a packet of theirs means depends on those
 * before it: relays of TURN, and messages in several chunks of SCTP. What is found takes the place of the frame that
 * completes it. Single-threaded.
 */
final class CarriedStage {
    private final RoundMemory memory;
    private final Failures failures;
    private final TurnRelays relays = new TurnRelays();
    private final SctpMessages sctp;

    CarriedStage(Arena arena, Failures failures) {
        memory = new RoundMemory(arena);
        this.failures = failures;
        sctp = new SctpMessages(memory);
    }

    /**
     * Processes packets of a batch up to a frame.
     *
     * @param from the index of the first one
     * @param beforeFrame the number of the first frame that is not processed
     * @return the index of the first packet that is left
     */
    int accept(List<CarriedPacket> packets, int from, long beforeFrame, BatchEvents out) {
        int i = from;
        for (; i < packets.size() && packets.get(i).context().frameNumber() < beforeFrame; i++) {
            CarriedPacket packet = packets.get(i);
            try {
                switch (packet.kind()) {
                    case TURN -> relays.packet(packet, out);
                    case SCTP -> sctp.packet(packet, out);
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
