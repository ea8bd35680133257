package io.offhook.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration that a schema describes. The command line overrides the environment, which overrides the file.
 *
 * <pre>{@code
 * ForwardConfig config = ConfigReader.of(SCHEMA)
 *         .environment("OFFHOOK_FORWARD_", System.getenv())
 *         .argument("statistics.interval", "5s", "--interval")
 *         .read(Path.of("forward.yaml"));
 * }</pre>
 *
 * <p>Each scalar outside of lists has an environment variable: {@code OFFHOOK_FORWARD_STATISTICS_INTERVAL}. Not
 * thread-safe.
 *
 * @param <T> the Java type of the configuration
 */
public final class ConfigReader<T> {
    private record Given(String text, String source) {}

    private final ConfigSchema<T> schema;
    private final List<BiConsumer<T, ConfigFaults>> checks = new ArrayList<>();
    private final Map<String, Given> environment = new LinkedHashMap<>();
    private final Map<String, Given> arguments = new LinkedHashMap<>();
    private final List<ConfigFault> misnamed = new ArrayList<>();

    private ConfigReader(ConfigSchema<T> schema) {
        this.schema = schema;
    }

    /**
     * Creates a reader for a schema.
     *
     * @param schema the description of the configuration
     * @param <T> the Java type of the configuration
     */
    public static <T> ConfigReader<T> of(ConfigSchema<T> schema) {
        return new ConfigReader<>(schema);
    }

    /**
     * Overrides the file by environment variables. A variable with the prefix that names no key is a fault.
     *
     * @param prefix the prefix of the variables, {@code OFFHOOK_FORWARD_}
     * @param variables as {@link System#getenv()} returns them
     */
    public ConfigReader<T> environment(String prefix, Map<String, String> variables) {
        Map<String, String> paths = new LinkedHashMap<>();
        for (String path : scalars()) {
            paths.put(prefix + variable(path), path);
        }
        variables.forEach((name, text) -> {
            String path = paths.get(name);
            String source = "environment variable " + name;
            if (path != null) {
                environment.put(path, new Given(text, source));
            } else if (name.startsWith(prefix)) {
                misnamed.add(new ConfigFault(
                        new ConfigPlace(source, 0, 0, ""),
                        NearestName.unknown(name, paths.keySet(), "known: " + String.join(", ", paths.keySet()))));
            }
        });
        return this;
    }

    private static String variable(String path) {
        return path.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /**
     * Overrides all other sources by a value of the command line.
     *
     * @param path the path of a scalar outside of lists
     * @param text the value, as it would be written in the file
     * @param option the name of the option, for messages
     * @throws IllegalArgumentException if the path is not that of a scalar outside of lists
     */
    public ConfigReader<T> argument(String path, String text, String option) {
        if (!scalars().contains(path)) {
            throw new IllegalArgumentException(path + " is not a scalar of " + schema.name() + " outside of lists");
        }
        arguments.put(path, new Given(text, "option " + option));
        return this;
    }

    /**
     * Adds a check of values that are valid individually. It also runs if there are faults, with the values that could
     * be read.
     */
    public ConfigReader<T> check(BiConsumer<T, ConfigFaults> check) {
        checks.add(check);
        return this;
    }

    /**
     * Reads a file.
     *
     * @param file the file, in UTF-8
     * @return the configuration
     * @throws ConfigException with all faults, also if the file cannot be read
     */
    public T read(Path file) {
        String source = file.toString();
        try {
            if (Files.size(file) > 4L * YamlTree.MAX_CHARACTERS) {
                throw unreadable(source, "has more than " + YamlTree.MAX_CHARACTERS + " characters");
            }
            return read(Files.readString(file, StandardCharsets.UTF_8), source);
        } catch (NoSuchFileException e) {
            throw unreadable(source, "there is no such file");
        } catch (CharacterCodingException e) {
            throw unreadable(source, "is not UTF-8");
        } catch (IOException e) {
            throw unreadable(source, "cannot be read: " + e.getMessage());
        }
    }

    private static ConfigException unreadable(String source, String text) {
        return new ConfigException(List.of(new ConfigFault(new ConfigPlace(source, 0, 0, ""), text)));
    }

    /**
     * Reads a configuration from text.
     *
     * @param text the content of a file
     * @param source the name of the source, for messages
     * @return the configuration
     * @throws ConfigException with all faults
     */
    public T read(String text, String source) {
        ConfigFaults faults = new ConfigFaults();
        misnamed.forEach(fault -> faults.add(fault.place(), fault.text()));
        ConfigNode root = YamlTree.read(text, source, faults);
        if (root instanceof ConfigNode.Mapping mapping) {
            environment.forEach((path, given) -> put(mapping, path, given));
            arguments.forEach((path, given) -> put(mapping, path, given));
        }
        T value = schema.bind(root, "", faults);
        if (value != null) {
            checks.forEach(check -> check.accept(value, faults));
        }
        if (value == null || !faults.isEmpty()) {
            throw faults.exception();
        }
        return value;
    }

    private static void put(ConfigNode.Mapping root, String path, Given given) {
        ConfigNode.Mark mark = new ConfigNode.Mark(given.source(), 0, 0);
        ConfigNode.Mapping at = root;
        String[] names = path.split("\\.", -1);
        for (int i = 0; i < names.length - 1; i++) {
            ConfigNode.Entry entry = at.entries().get(names[i]);
            if (entry != null && !(entry.value() instanceof ConfigNode.Mapping) && !isAbsent(entry.value())) {
                return; // not a section: that fault is reported
            }
            if (entry == null || !(entry.value() instanceof ConfigNode.Mapping)) {
                entry = new ConfigNode.Entry(mark, ConfigNode.Mapping.empty(mark));
                at.entries().put(names[i], entry);
            }
            at = (ConfigNode.Mapping) entry.value();
        }
        at.entries()
                .put(
                        names[names.length - 1],
                        new ConfigNode.Entry(mark, new ConfigNode.Scalar(given.text(), false, mark)));
    }

    private static boolean isAbsent(@Nullable ConfigNode node) {
        return node instanceof ConfigNode.Scalar scalar && scalar.isAbsent();
    }

    private List<String> scalars() {
        List<String> paths = new ArrayList<>();
        collect(schema, "", paths);
        return paths;
    }

    private static void collect(ConfigSchema<?> schema, String path, List<String> paths) {
        for (ConfigKey<?> key : schema.keys()) {
            switch (key.type()) {
                case ConfigSchema<?> section -> collect(section, path + key.name() + ".", paths);
                case ScalarType<?> _ -> paths.add(path + key.name());
                case PlacedType<?> placed when placed.type() instanceof ScalarType<?> -> paths.add(path + key.name());
                default -> {} // lists and names can only be set in the file
            }
        }
    }
}
