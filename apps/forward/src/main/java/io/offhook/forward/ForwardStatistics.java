package io.offhook.forward;

import io.offhook.linux.network.LinkState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What became of the packets since the start. Taken while lanes run, so that numbers of one burst may be in it in part;
 * exact when they have stopped.
 *
 * @param atNs when it was taken, nanoseconds of the forwarder's clock
 * @param ports by number
 * @param drops of the stages, by stage and cause, in the order of the list
 * @param lanes by number
 * @param counts of packets that are of no port and no stage alone
 */
public record ForwardStatistics(
        long atNs, List<PortCounts> ports, List<Drops> drops, List<LaneCounts> lanes, PacketCounts counts) {
    /**
     * Of packets, whatever their port and stage.
     *
     * @param originated packets that stages made
     * @param noBuffer packets that stages wanted to make and had no buffer for
     * @param held packets that a stage kept for later
     * @param restored of those, the ones that went on or were dropped then
     * @param undecided packets that no stage gave an output: dropped
     * @param forwarded packets that had an output
     * @param outputs how many outputs these had: {@code sent}, {@code sendDrops} and {@code tooLong} of all ports together
     */
    public record PacketCounts(
            long originated, long noBuffer, long held, long restored, long undecided, long forwarded, long outputs) {}

    /**
     * Of a port.
     *
     * @param name as the configuration calls it
     * @param driver how it is driven, for people
     * @param state whether it can send and receive
     * @param received packets that lanes took
     * @param sent packets that it took to send
     * @param losses packets that it lost
     * @param copies packets whose bytes were copied to be sent
     */
    public record PortCounts(
            String name, String driver, LinkState state, long received, long sent, PortLosses losses, long copies) {}

    /**
     * What a port lost.
     *
     * @param coming packets that its driver lost before a lane could take them
     * @param going packets that it had no room for, or could not send
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
     * @param processor that it began to run on; -1 before it runs
     * @param packets that it took
     * @param bursts that they came in
     * @param busyNs nanoseconds that it spent on them, from receiving to sent
     */
    public record LaneCounts(int lane, int processor, long packets, long bursts, long busyNs) {}

    /**
     * Cycles a nanosecond of this machine's time-stamp counter (TSC), which counts at one rate whatever the clock of a core
     * does; empty where it has none that is constant, or does not tell.
     */
    public static OptionalDouble tscCyclesPerNs() {
        return TscRate.gigahertz();
    }

    /** Packets that stages dropped. */
    public long dropped() {
        long sum = 0;
        for (Drops of : drops) {
            sum += of.packets();
        }
        return sum;
    }

    /** Whether every packet that came in or was made has been accounted for; of lanes that have stopped. */
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

    /** Adds lanes up. */
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
