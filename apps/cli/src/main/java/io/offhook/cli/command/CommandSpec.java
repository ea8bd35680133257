package io.offhook.cli.command;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command takes: options, and parameters in their order, of which the last may be repeated.
 *
 * <p>There is no library behind it: those at hand find options by reflection, or are compiled for a Java so old that the
 * AOT cache cannot hold their classes, and either takes longer than reading a capture.
 */
public final class CommandSpec {
    private final String name;
    private final String summary;
    private final List<OptionSpec> options = new ArrayList<>();
    private final List<Parameter> parameters = new ArrayList<>();
    private @Nullable OptionSpec instead;

    /**
     * A parameter.
     *
     * @param label what stands for it in the help: "FILE"
     * @param repeated whether there may be several
     */
    public record Parameter(String label, boolean repeated, String description) {}

    /** @param name as it is typed, "offhook calls" */
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

    public void addOption(OptionSpec option) {
        options.add(option);
    }

    /** One more parameter, which has to be there. */
    public void addParameter(String label, String description) {
        parameters.add(new Parameter(label, false, description));
    }

    /** The last parameter, once or more often. */
    public void addParameters(String label, String description) {
        parameters.add(new Parameter(label, true, description));
    }

    /** An option that takes the place of all parameters: either these or that has to be there. */
    public void parametersOr(OptionSpec option) {
        instead = option;
    }

    /** The option that takes the place of all parameters, or null. */
    public @Nullable OptionSpec instead() {
        return instead;
    }

    /** In the order they were added. */
    public List<OptionSpec> options() {
        return options;
    }

    public List<Parameter> parameters() {
        return parameters;
    }

    /** The option that has a name, or null. */
    public @Nullable OptionSpec option(String name) {
        for (OptionSpec option : options) {
            if (option.names().contains(name)) {
                return option;
            }
        }
        return null;
    }
}
