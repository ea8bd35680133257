package io.offhook.cli;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.OptionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the completion scripts of all shells have in common. */
final class Completion {
    /** The labels of options whose values are files or folders. */
    private static final Set<String> FILES = Set.of("FILE", "DIR", "DIRECTORY", "FOLDER", "PATH", "OUT");

    private Completion() {}

    /** "calls" for the command "offhook calls". */
    static String word(CommandSpec command) {
        return command.name().substring(command.name().lastIndexOf(' ') + 1);
    }

    /** The values that an option has; empty if they cannot be listed. */
    static List<String> values(OptionSpec option) {
        List<String> values = new ArrayList<>();
        if (option.type().isEnum()) {
            for (Object constant : option.type().getEnumConstants()) {
                values.add(constant.toString());
            }
        }
        return values;
    }

    static boolean takesFile(OptionSpec option) {
        return FILES.contains(option.label())
                || option.name().equals("--write")
                || option.name().equals("--config");
    }

    /** The values of a command's first parameter; empty if they cannot be listed. */
    static List<String> parameterValues(CommandSpec command) {
        return word(command).equals("completion") ? List.of("bash", "zsh", "fish") : Usage.nestedNames(word(command));
    }

    /** All names of all options. */
    static List<String> names(CommandSpec command) {
        List<String> names = new ArrayList<>();
        command.options().forEach(option -> names.addAll(option.names()));
        return names;
    }
}
