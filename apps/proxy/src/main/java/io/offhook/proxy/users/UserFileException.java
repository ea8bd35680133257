package io.offhook.proxy.users;

import java.io.IOException;
import java.util.List;

/** A user file with lines that cannot be read. The messages name file and line, and never what a line holds. */
public final class UserFileException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient List<String> faults;

    /** @param faults one or more, each with its place */
    UserFileException(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    /** The faults, each with its place. */
    public List<String> faults() {
        return faults;
    }
}
