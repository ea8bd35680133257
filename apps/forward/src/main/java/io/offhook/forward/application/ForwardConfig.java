package io.offhook.forward.application;

import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigReader;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigSection;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.forward.IpPrefix;
import io.offhook.forward.Translation;
import io.offhook.live.IdleStrategy;
import java.util.List;
import java.util.Map;

/**
 * A packet application as described by a YAML file; {@link ForwardApplication} runs it. docs/FORWARD.md has the keys
 * and samples.
 *
 * @param ports the ports that packets come from and go to
 * @param lanes the threads, and the ports that each reads from
 * @param run how it runs
 * @param sections the values of each backend's section, by its schema; see {@link #section}
 * @param stages the stages, in the order in which packets pass them
 * @param nat static translations
 * @param read the sections as read from the file
 */
public record ForwardConfig(
        List<PortConfig> ports,
        List<LaneConfig> lanes,
        RunConfig run,
        Map<ConfigSchema<?>, Object> sections,
        List<StageConfig<?>> stages,
        List<TranslationConfig> nat,
        ConfigSection read) {
    /**
     * A port.
     *
     * @param name the name by which the rest of the configuration refers to it
     * @param backend how it is driven
     * @param interfaceName the interface as {@code ip link} lists it; for some backends another device
     * @param ring the frames that each lane's receive ring holds
     * @param isPromiscuous whether frames to other machines are received, as a bridge needs
     * @param addresses the router's addresses at the port, with the lengths of their networks
     * @param place its place in the file
     */
    public record PortConfig(
            String name,
            PortBackend backend,
            Placed<String> interfaceName,
            int ring,
            boolean isPromiscuous,
            List<Placed<IpPrefix>> addresses,
            ConfigPlace place) {}

    /**
     * A lane.
     *
     * @param core the processor that it is pinned to; -1 for any
     * @param ports the ports that it reads from
     * @param place its place in the file
     */
    public record LaneConfig(int core, List<Placed<String>> ports, ConfigPlace place) {}

    /**
     * How it runs.
     *
     * @param idle what lanes do while no packets arrive
     * @param buffers the buffers of each lane, for packets that are created, copied or held
     * @param intervalNs the interval at which figures are printed, in nanoseconds
     */
    public record RunConfig(IdleStrategy idle, int buffers, long intervalNs) {}

    /**
     * A static translation.
     *
     * @param translation the addresses and ports
     * @param place its place in the file
     */
    public record TranslationConfig(Translation translation, ConfigPlace place) {}

    /**
     * Returns the description of all keys, from which the tables of docs/FORWARD.md are written.
     *
     * @throws java.util.ServiceConfigurationError when a {@link PortBackend} or {@link StageType} cannot be loaded; the
     *     message names it
     */
    public static ConfigSchema<ForwardConfig> schema() {
        return ForwardKeys.schema();
    }

    /**
     * Returns a reader that checks everything except the interfaces and processors of this machine.
     *
     * @throws java.util.ServiceConfigurationError as {@link #schema}
     */
    public static ConfigReader<ForwardConfig> reader() {
        return ConfigReader.of(ForwardKeys.schema()).check(ForwardChecks::check);
    }

    /** As {@link #reader()}, and checks that this machine has the interfaces and processors. */
    public static ConfigReader<ForwardConfig> readerForThisMachine() {
        return reader().check(ForwardChecks::checkMachine);
    }

    /**
     * Returns the values of a backend's section.
     *
     * @param keys the backend's {@link PortBackend#keys}
     * @param <S> the type of the values
     * @throws IllegalArgumentException if no backend has a section with these keys
     */
    @SuppressWarnings("unchecked") // made by that schema
    public <S> S section(ConfigSchema<S> keys) {
        Object section = sections.get(keys);
        if (section == null) {
            throw new IllegalArgumentException("no backend has a section " + keys.name());
        }
        return (S) section;
    }

    /** Returns the ports that a backend drives. */
    public List<PortConfig> portsOf(PortBackend backend) {
        return ports.stream()
                .filter(port -> port.backend().name().equals(backend.name()))
                .toList();
    }
}
