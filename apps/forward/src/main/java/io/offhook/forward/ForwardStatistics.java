package io.offhook.forward;

import io.offhook.linux.network.LinkState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What became of the packets since the start. While lanes run, a burst in progress may be counted in part; once they
 * have stopped, the numbers are exact.
 *
 * @param atNs when it was taken, in nanoseconds of the forwarder's clock
 * @param ports by number
 * @param drops by stage and cause, in the order of the stages
 * @param lanes by number
 * @param counts counters that belong to no single port or stage
 */
public record ForwardStatistics(
        long atNs, List<PortCounts> ports, List<Drops> drops, List<LaneCounts> lanes, PacketCounts counts) {
    /**
     * Counters of packets over all ports and stages.
     *
     * @param originated packets that stages created
     * @param noBuffer packets that stages could not create for want of a buffer
     * @param held packets that a stage held
     * @param restored held packets that were forwarded or dropped later
     * @param undecided packets dropped because no stage chose an output
     * @param forwarded packets that had an output
     * @param outputs the outputs of these: {@code sent}, {@code losses.going} and {@code losses.tooLong} summed over
     *     all ports
     */
    public record PacketCounts(
            long originated, long noBuffer, long held, long restored, long undecided, long forwarded, long outputs) {}

    /**
     * Of a port.
     *
     * @param name its name in the configuration
     * @param driver a description of how it is driven
     * @param state whether it can send and receive
     * @param received packets that lanes received
     * @param sent packets that it accepted for sending
     * @param losses packets lost at the port
     * @param copies packets whose bytes were copied to be sent
     */
    public record PortCounts(
            String name, String driver, LinkState state, long received, long sent, PortLosses losses, long copies) {}

    /**
     * What a port lost.
     *
     * @param coming packets that its driver lost before a lane could receive them
     * @param going packets that it could not send, usually for want of room
     * @param tooLong packets longer than its MTU allows
     */
    public record PortLosses(long coming, long going, long tooLong) {}

    /**
     * Of a stage.
     *
     * @param stage its name
     * @param cause why
     * @param packets how many
     */
    public record Drops(String stage, String cause, long packets) {}

    /**
     * Of a lane.
     *
     * @param lane its number
     * @param processor the processor that it started on; -1 before it runs
     * @param packets packets that it received
     * @param bursts the bursts that they came in
     * @param busyNs nanoseconds spent on them, from receiving to sending
     */
    public record LaneCounts(int lane, int processor, long packets, long bursts, long busyNs) {}

    /**
     * Cycles per nanosecond of this machine's time-stamp counter (TSC), whose rate does not depend on the clock of a
     * core; empty if there is no constant counter or its rate is unknown.
     */
    public static OptionalDouble tscCyclesPerNs() {
        return TscRate.gigahertz();
    }

    /** The packets dropped by all stages. */
    public long dropped() {
        long sum = 0;
        for (Drops of : drops) {
            sum += of.packets();
        }
        return sum;
    }

    /** Whether every packet received or created is accounted for; meaningful once the lanes have stopped. */
    public boolean isBalanced() {
        long received = 0;
        long left = 0;
        for (PortCounts port : ports) {
            received += port.received();
            left += port.sent() + port.losses().going() + port.losses().tooLong();
        }
        return received + counts.originated() + counts.restored()
                        == dropped() + counts.held() + counts.undecided() + counts.forwarded()
                && left == counts.outputs();
    }

    /** Sums the counters of lanes. */
    static final class Builder {
        private final List<Port> ports;
        private final long[][] ofPorts;
        private final List<StageCounts> stages = new ArrayList<>();
        private final List<long[]> ofStages = new ArrayList<>();
        private final List<LaneCounts> lanes = new ArrayList<>();
        private long originated;
        private long noBuffer;
        private long held;
        private long restored;
        private long undecided;
        private long forwarded;
        private long outputs;

        Builder(List<Port> ports) {
            this.ports = ports;
            ofPorts = new long[ports.size()][5];
        }

        void port(int i, long received, long sent, long sendDrops, long tooLong, long copies) {
            ofPorts[i][0] += received;
            ofPorts[i][1] += sent;
            ofPorts[i][2] += sendDrops;
            ofPorts[i][3] += tooLong;
            ofPorts[i][4] += copies;
        }

        void stage(int i, StageCounts counts) {
            if (i == stages.size()) {
                stages.add(counts);
                ofStages.add(new long[counts.causes().size()]);
            }
            for (int cause = 0; cause < counts.causes().size(); cause++) {
                ofStages.get(i)[cause] += counts.drops(cause);
            }
        }

        void lane(LaneCounts counts) {
            lanes.add(counts);
        }

        void add(long undecided, long forwarded, long outputs, BurstCounts made) {
            this.undecided += undecided;
            this.forwarded += forwarded;
            this.outputs += outputs;
            originated += made.originated;
            noBuffer += made.noBuffer;
            held += made.held;
            restored += made.restored;
        }

        ForwardStatistics build(long atNs) {
            List<PortCounts> portCounts = new ArrayList<>();
            for (int i = 0; i < ofPorts.length; i++) {
                long[] of = ofPorts[i];
                Port port = ports.get(i);
                portCounts.add(new PortCounts(
                        port.name(),
                        port.driver(),
                        port.state(),
                        of[0],
                        of[1],
                        new PortLosses(port.receiveDrops(), of[2], of[3]),
                        of[4]));
            }
            List<Drops> drops = new ArrayList<>();
            for (int i = 0; i < stages.size(); i++) {
                for (int cause = 0; cause < stages.get(i).causes().size(); cause++) {
                    drops.add(new Drops(
                            stages.get(i).stage(), stages.get(i).causes().get(cause), ofStages.get(i)[cause]));
                }
            }
            return new ForwardStatistics(
                    atNs,
                    List.copyOf(portCounts),
                    List.copyOf(drops),
                    List.copyOf(lanes),
                    new PacketCounts(originated, noBuffer, held, restored, undecided, forwarded, outputs));
        }
    }
}
