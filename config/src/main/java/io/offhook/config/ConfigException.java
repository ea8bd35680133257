package io.offhook.config;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A configuration with faults: all of them, in the order of the file, or 100 and how many more there are. The message has a
 * line for each.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigFault> faults;

    ConfigException(List<ConfigFault> faults) {
        super(faults.stream().map(ConfigFault::toString).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
    }

    /** One or more. */
    public List<ConfigFault> faults() {
        return faults;
    }
}
