package io.offhook.config;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A faulty configuration. Lists all faults in the order of the file, or the first 100 and the number of others. The
 * message has one line per fault.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigFault> faults;

    ConfigException(List<ConfigFault> faults) {
        super(faults.stream().map(ConfigFault::toString).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
    }

    /** The faults, at least one. */
    public List<ConfigFault> faults() {
        return faults;
    }
}
