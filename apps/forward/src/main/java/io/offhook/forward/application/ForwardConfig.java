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
 * A packet application as a YAML file describes it; {@link ForwardApplication} runs it. docs/FORWARD.md has its keys and
 * samples.
 *
 * @param ports where packets come from and go to
 * @param lanes threads, and the ports that each reads from
 * @param run how it runs
 * @param sections what the keys of each backend became, by their schema; {@link #section} has one
 * @param stages what is done with each packet, in this order
 * @param nat static translations
 * @param read the file as it was read
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
     * @param name by which the rest of the configuration speaks of it
     * @param backend how it is driven
     * @param interfaceName as {@code ip link} has it; of some backends another device
     * @param ring frames that each lane's ring holds
     * @param isPromiscuous whether frames for other machines are taken, as a bridge does
     * @param addresses that a router has there, with the lengths of their networks
     * @param place where it stands
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
     * @param core the processor that it runs on; -1 for any
     * @param ports that it reads from
     * @param place where it stands
     */
    public record LaneConfig(int core, List<Placed<String>> ports, ConfigPlace place) {}

    /**
     * How it runs.
     *
     * @param idle what lanes do while no packet comes
     * @param buffers of each lane, for packets that are made, copied or held
     * @param intervalNs how often figures are printed, in nanoseconds
     */
    public record RunConfig(IdleStrategy idle, int buffers, long intervalNs) {}

    /**
     * A static translation.
     *
     * @param translation what for what
     * @param place where it stands
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
     * Returns a reader that checks everything that can be known without the interfaces and processors of this machine.
     *
     * @throws java.util.ServiceConfigurationError as {@link #schema}
     */
    public static ConfigReader<ForwardConfig> reader() {
        return ConfigReader.of(ForwardKeys.schema()).check(ForwardChecks::check);
    }

    /** As {@link #reader()}, and whether this machine has the interfaces and processors. */
    public static ConfigReader<ForwardConfig> readerForThisMachine() {
        return reader().check(ForwardChecks::checkMachine);
    }

    /**
     * What the section of a backend became.
     *
     * @param keys as {@link PortBackend#keys} has them
     * @param <S> what they become
     * @throws IllegalArgumentException where they are of no backend that has a section
     */
    @SuppressWarnings("unchecked") // made by that schema
    public <S> S section(ConfigSchema<S> keys) {
        Object section = sections.get(keys);
        if (section == null) {
            throw new IllegalArgumentException("no backend has a section " + keys.name());
        }
        return (S) section;
    }

    /** The ports that a backend drives. */
    public List<PortConfig> portsOf(PortBackend backend) {
        return ports.stream()
                .filter(port -> port.backend().name().equals(backend.name()))
                .toList();
    }
}
