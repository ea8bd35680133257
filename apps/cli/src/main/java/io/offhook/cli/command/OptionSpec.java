package io.offhook.cli.command;

import java.util.List;

/**
 * An option of a command.
 *
 * @param names the names on the command line, such as "-v" and "--verbose"; the last one identifies the option
 * @param label the placeholder for the value in the help, such as "N"; empty for a flag
 * @param type of the value: String, Integer, Long, an enum, or List for a repeatable text; Boolean for a flag
 * @param description of the option in the help
 */
public record OptionSpec(List<String> names, String label, Class<?> type, String description) {

    /** Whether the option takes no value. */
    public boolean isFlag() {
        return type == Boolean.class;
    }

    /** The name that identifies the option. */
    public String name() {
        return names.getLast();
    }
}
