package io.offhook.cli.command;

import java.util.List;

/** Invalid options or arguments, or a file of settings with faults. The message names the option and what it accepts. */
public final class MisuseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> faults;

    public MisuseException(String message) {
        super(message);
        faults = List.of();
    }

    /** @param faults of a file, each with its place; one or more */
    public MisuseException(List<String> faults) {
        super(String.join(", ", faults));
        this.faults = List.copyOf(faults);
    }

    /** The faults of a file, to be printed one a line; empty if it is about the command line. */
    public List<String> faults() {
        return faults;
    }
}
