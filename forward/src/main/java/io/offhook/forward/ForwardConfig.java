package io.offhook.forward;

import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigReader;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.live.IdleStrategy;
import java.util.List;
import java.util.stream.Stream;

/**
 * A packet application as a YAML file describes it; {@link ForwardApplication} runs it. docs/FORWARD.md has its keys and
 * samples.
 *
 * @param ports where packets come from and go to
 * @param lanes threads, and the ports that each reads from
 * @param idle what lanes do while no packet comes
 * @param buffers of each lane, for packets that are made, copied or held
 * @param dpdk how DPDK is started, where a port is driven by it
 * @param statistics what is told while it runs
 * @param stages what is done with each packet, in this order
 * @param nat static translations
 */
public record ForwardConfig(
        List<PortConfig> ports,
        List<LaneConfig> lanes,
        IdleStrategy idle,
        int buffers,
        DpdkConfig dpdk,
        StatisticsConfig statistics,
        List<StageConfig> stages,
        List<TranslationConfig> nat) {
    /** How a port is driven. */
    public enum Backend {
        /** AF_PACKET: any Ethernet interface of Linux. */
        AFPACKET,
        /** AF_XDP: any Ethernet interface of Linux, in native mode where the driver can. */
        XDP,
        /** DPDK: devices that its drivers have, network cards and virtual ones. */
        DPDK
    }

    /**
     * A port.
     *
     * @param name by which the rest of the configuration speaks of it
     * @param backend how it is driven
     * @param interfaceName as {@code ip link} has it; a device of DPDK
     * @param ring frames that each lane's ring holds
     * @param isPromiscuous whether frames for other machines are taken, as a bridge does
     * @param addresses that a router has there, with the lengths of their networks
     * @param place where it stands
     */
    public record PortConfig(
            String name,
            Backend backend,
            Placed<String> interfaceName,
            int ring,
            boolean isPromiscuous,
            List<Placed<IpPrefix>> addresses,
            ConfigPlace place) {
        /** What cannot change while it runs. */
        String structure() {
            return name + " " + backend + " " + interfaceName.value() + " " + ring + " " + isPromiscuous;
        }
    }

    /**
     * A lane.
     *
     * @param core the processor that it runs on; -1 for any
     * @param ports that it reads from
     * @param place where it stands
     */
    public record LaneConfig(int core, List<Placed<String>> ports, ConfigPlace place) {}

    /**
     * How DPDK is started.
     *
     * @param isHuge whether memory is of huge pages
     * @param memoryBytes for pools and queues
     * @param mbufs that all ports share
     * @param mbufBytes of a packet that one holds
     * @param lcores as {@code --lcores} takes them; empty for one
     * @param pci addresses of the devices to use; empty for all that are bound to DPDK
     * @param arguments others, as they are
     */
    public record DpdkConfig(
            boolean isHuge,
            long memoryBytes,
            int mbufs,
            int mbufBytes,
            String lcores,
            List<String> pci,
            List<String> arguments) {}

    /**
     * What is told.
     *
     * @param intervalNs how often, in nanoseconds
     */
    public record StatisticsConfig(long intervalNs) {}

    /**
     * A static translation.
     *
     * @param translation what for what
     * @param place where it stands
     */
    public record TranslationConfig(NatTable.Translation translation, ConfigPlace place) {}

    /** The description of all keys: what docs/FORWARD.md is written from. */
    public static ConfigSchema<ForwardConfig> schema() {
        return ForwardKeys.FORWARD;
    }

    /** A reader that checks all that can be known without this machine's interfaces and processors. */
    public static ConfigReader<ForwardConfig> reader() {
        return ConfigReader.of(ForwardKeys.FORWARD).check(ForwardChecks::check);
    }

    /** As {@link #reader()}, and whether this machine has the interfaces and processors. */
    public static ConfigReader<ForwardConfig> readerForThisMachine() {
        return reader().check(MachineChecks::check);
    }

    /** What cannot change while it runs: ports, lanes, the order of the stages and what these are made with. */
    List<String> structure() {
        return Stream.of(
                        ports.stream().map(port -> "port " + port.structure()),
                        lanes.stream()
                                .map(lane -> "lane on " + lane.core() + " reading "
                                        + lane.ports().stream()
                                                .map(Placed::value)
                                                .toList()),
                        Stream.of("idle " + idle, "buffers " + buffers, "dpdk " + dpdk),
                        stages.stream().map(stage -> "stage " + stage.structure()))
                .flatMap(lines -> lines)
                .toList();
    }
}
