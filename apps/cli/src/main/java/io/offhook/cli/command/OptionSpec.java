package io.offhook.cli.command;

import java.util.List;

/**
 * An option of a command.
 *
 * @param names all that may be typed, "-v", "--verbose"; the last one is the one it is known by
 * @param label what stands for its value in the help, "N"; empty for an option without a value
 * @param type of the value: String, Integer, Long, an enum, or List for texts of which there may be several
 * @param description for the help
 */
public record OptionSpec(List<String> names, String label, Class<?> type, String description) {

    public boolean isFlag() {
        return type == Boolean.class;
    }

    /** The name it is known by. */
    public String name() {
        return names.getLast();
    }

    public static Builder builder(String... names) {
        return new Builder(List.of(names));
    }

    /** Puts one together; without a {@link #type} it has no value. */
    public static final class Builder {
        private final List<String> names;
        private String label = "";
        private Class<?> type = Boolean.class;
        private String description = "";

        private Builder(List<String> names) {
            this.names = names;
        }

        public Builder paramLabel(String label) {
            this.label = label;
            return this;
        }

        public Builder type(Class<?> type) {
            this.type = type;
            return this;
        }

        public Builder description(String description) {
            this.description = description;
            return this;
        }

        public OptionSpec build() {
            return new OptionSpec(names, label, type, description);
        }
    }
}
