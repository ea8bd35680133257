package io.offhook.cli.command;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options and parameters of a command. Parameters are positional; the last may be repeated.
 *
 * <p>No library is used, because start-up would take longer than reading a capture: the available ones find options by
 * reflection, or are compiled for a Java version so old that the AOT cache cannot hold their classes.
 */
public final class CommandSpec {
    private final String name;
    private final String summary;
    private final List<OptionSpec> options = new ArrayList<>();
    private final List<Parameter> parameters = new ArrayList<>();
    private final List<OptionSpec> instead = new ArrayList<>(2);

    /**
     * A parameter.
     *
     * @param label the placeholder in the help, such as "FILE"
     * @param repeated whether several values are accepted
     * @param optional whether it may be left out; only the last one, which is repeated
     */
    public record Parameter(String label, boolean repeated, boolean optional, String description) {}

    /** @param name as typed: "offhook calls" */
    public CommandSpec(String name, String summary) {
        this.name = name;
        this.summary = summary;
    }

    public String name() {
        return name;
    }

    public String summary() {
        return summary;
    }

    /** Adds an option with a value. */
    public void addOption(String name, String label, Class<?> type, String description) {
        add(new OptionSpec(List.of(name), label, type, description));
    }

    /** Adds an option with a value and a second name; {@code name} identifies the option. */
    public void addOption(String alias, String name, String label, Class<?> type, String description) {
        add(new OptionSpec(List.of(alias, name), label, type, description));
    }

    private void add(OptionSpec option) {
        for (OptionSpec other : options) {
            if (!Collections.disjoint(other.names(), option.names())) {
                throw new IllegalStateException(name + " has two options " + option.names());
            }
        }
        options.add(option);
    }

    /** Adds an option without a value. */
    public void addFlag(String name, String description) {
        addOption(name, "", Boolean.class, description);
    }

    /** Adds an option without a value and with a second name; {@code name} identifies the option. */
    public void addFlag(String alias, String name, String description) {
        addOption(alias, name, "", Boolean.class, description);
    }

    /** Adds a required parameter. */
    public void addParameter(String label, String description) {
        parameters.add(new Parameter(label, false, false, description));
    }

    /** Adds the last parameter, which takes one or more values. */
    public void addParameters(String label, String description) {
        parameters.add(new Parameter(label, true, false, description));
    }

    /** Adds the last parameter, which takes any number of values, or none. */
    public void addOptionalParameters(String label, String description) {
        parameters.add(new Parameter(label, true, true, description));
    }

    /** Declares one more option that replaces all parameters: either such an option or the parameters are required. */
    public void parametersOr(OptionSpec option) {
        instead.add(option);
    }

    /** The options each of which replaces all parameters. */
    public List<OptionSpec> instead() {
        return instead;
    }

    /** The options in the order in which they were added. */
    public List<OptionSpec> options() {
        return options;
    }

    public List<Parameter> parameters() {
        return parameters;
    }

    /** The option with the given name or alias, or null. */
    public @Nullable OptionSpec option(String name) {
        for (OptionSpec option : options) {
            if (option.names().contains(name)) {
                return option;
            }
        }
        return null;
    }
}
