package io.offhook.cli;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandGroup;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OptionSpec;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs subcommands and prints their help. */
final class Usage {
    private static final String EXAMPLES = """
        Examples:
          offhook calls capture.pcap                 list the calls
          offhook calls --bad 'captures/*.pcap'      only bad calls, and why they are bad
          offhook calls --format json capture.pcap   JSON for programs; docs/OUTPUT.md lists the fields
          offhook call ID capture.pcap               one call, message by message
          offhook streams --wireshark capture.pcap   RTP statistics as Wireshark computes them

        Exit codes: 0 done, 1 --fail-on met, 2 misuse, 3 a file could not be read to its end.
        """;

    /** What the launcher runs in a checkout, from modules of its own. */
    private static final Set<String> OF_A_CHECKOUT =
            Set.of("bench", "cluster", "docbook", "generate", "probe", "protoc-gen-docbook");

    private Usage() {}

    /** Parses the arguments of a subcommand and runs it, or the command of a group that the first argument names. */
    static int run(Subcommand subcommand, String[] args, Terminal terminal) throws IOException {
        return run(subcommand.label(), subcommand.summary(), subcommand.make(), args, terminal);
    }

    /** The same for a command that is no subcommand of this module. */
    static int run(String label, String summary, Command command, String[] args, Terminal terminal) throws IOException {
        if (command instanceof CommandGroup group && args.length > 0 && !args[0].startsWith("-")) {
            CommandGroup.Nested nested = nested(label, group, args[0]);
            if (nested != null) {
                Command chosen = nested.maker().get();
                String[] rest = Arrays.copyOfRange(args, 1, args.length);
                return run(spec(label, nested, chosen), chosen, rest, terminal);
            }
        }
        return run(spec(label, summary, command), command, args, terminal);
    }

    /** The command of a group that is called so; null if the word is a parameter of the group itself. */
    private static CommandGroup.@Nullable Nested nested(String label, CommandGroup group, String word) {
        List<String> known = new ArrayList<>();
        for (CommandGroup.Nested nested : group.nested()) {
            if (nested.name().equals(word)) {
                return nested;
            }
            known.add(nested.name());
        }
        if (group.hasParameters()) {
            return null;
        }
        throw new MisuseException("there is no command " + label + " " + word + "; there are "
                + String.join(", ", known) + "; see offhook " + label + " --help");
    }

    private static int run(CommandSpec spec, Command command, String[] args, Terminal terminal) throws IOException {
        try {
            ParseResult arguments = ParseResult.of(spec, args);
            if (arguments.isUsageHelpRequested()) {
                List<CommandGroup.Nested> nested = command instanceof CommandGroup group ? group.nested() : List.of();
                terminal.out().append(ofCommand(spec, nested, terminal.helpWidth()));
                return ExitCode.DONE;
            }
            OutputOptions.applyTime(arguments, terminal);
            return command.run(arguments, terminal);
        } catch (MisuseException e) {
            if (!e.faults().isEmpty()) {
                throw e;
            }
            throw new MisuseException(e.getMessage() + "; see " + spec.name() + " --help");
        }
    }

    private static CommandSpec spec(String label, String summary, Command command) {
        return described(new CommandSpec("offhook " + label, summary), command);
    }

    private static CommandSpec spec(String label, CommandGroup.Nested nested, Command command) {
        String name = "offhook " + label + " " + nested.name();
        return described(new CommandSpec(name, nested.summary()), command);
    }

    private static CommandSpec described(CommandSpec spec, Command command) {
        command.describe(spec);
        spec.addFlag("-h", "--help", "Print this help.");
        return spec;
    }

    /** The descriptions of all commands that are not hidden, in the order of the help. */
    static List<CommandSpec> specs() {
        List<CommandSpec> specs = new ArrayList<>();
        for (Subcommand subcommand : Subcommand.values()) {
            if (!subcommand.isHidden()) {
                specs.add(spec(subcommand.label(), subcommand.summary(), subcommand.make()));
            }
        }
        return specs;
    }

    /** The descriptions of the commands of groups. */
    static List<CommandSpec> nestedSpecs() {
        List<CommandSpec> specs = new ArrayList<>();
        for (Subcommand subcommand : Subcommand.values()) {
            if (subcommand.make() instanceof CommandGroup group) {
                for (CommandGroup.Nested nested : group.nested()) {
                    specs.add(spec(subcommand.label(), nested, nested.maker().get()));
                }
            }
        }
        return specs;
    }

    /** The names of the commands of a group; empty for a command that is none. */
    static List<String> nestedNames(String label) {
        Subcommand subcommand = Subcommand.named(label);
        return subcommand != null && subcommand.make() instanceof CommandGroup group
                ? group.nested().stream().map(CommandGroup.Nested::name).toList()
                : List.of();
    }

    /** "offhook calls [OPTIONS] FILE... | -i NAME". */
    static String synopsis(CommandSpec spec) {
        StringBuilder synopsis = new StringBuilder(spec.name()).append(" [OPTIONS]");
        for (CommandSpec.Parameter parameter : spec.parameters()) {
            String label = parameter.label() + (parameter.repeated() ? "..." : "");
            synopsis.append(' ').append(parameter.optional() ? "[" + label + "]" : label);
        }
        for (OptionSpec instead : spec.instead()) {
            synopsis.append(" | ")
                    .append(instead.names().getFirst())
                    .append(' ')
                    .append(instead.label());
        }
        return synopsis.toString();
    }

    /** The help of one command. */
    private static String ofCommand(CommandSpec spec, List<CommandGroup.Nested> nested, int width) {
        HelpText help = new HelpText(width);
        help.paragraph("Usage: " + synopsis(spec)).paragraph(spec.summary()).blank();
        for (CommandSpec.Parameter parameter : spec.parameters()) {
            help.entry(parameter.label(), parameter.description());
        }
        if (!nested.isEmpty()) {
            help.paragraph("Commands, each with --help:");
            nested.forEach(one -> help.entry(one.name(), one.summary()));
        }
        help.blank();
        for (OptionSpec option : spec.options()) {
            help.entry(names(option), option.description());
        }
        return help.toString();
    }

    /** "-v, --verbose", "    --lanes N". */
    private static String names(OptionSpec option) {
        String names = String.join(", ", option.names());
        String indented = names.startsWith("--") ? "    " + names : names;
        return option.isFlag() ? indented : indented + " " + option.label();
    }

    /** The help of {@code offhook} without a subcommand. */
    static String ofOffhook(int width) {
        HelpText help = new HelpText(width);
        help.paragraph("Usage: offhook COMMAND [OPTIONS] FILE...")
                .paragraph("Packet captures in, VoIP calls out: who, when, how they ended, their quality, and why.")
                .blank()
                .paragraph("Commands:");
        for (Subcommand subcommand : Subcommand.values()) {
            if (!subcommand.isHidden()) {
                help.entry(subcommand.label(), subcommand.summary());
            }
        }
        help.blank()
                .paragraph("Options:")
                .entry("-h, --help", "Print this help; after a command, the help of the command.")
                .entry("-V, --version", "Print the versions of Offhook and Java.")
                .blank();
        return help + EXAMPLES;
    }

    /** The error message for a first argument that is not a command. */
    static String unknownCommand(String word) {
        if (word.startsWith("-") && word.length() > 1) {
            return "there is no option " + word + " before the command; see offhook --help";
        }
        if (isFile(word)) {
            return "the command is missing before " + word + "; try: offhook calls " + word;
        }
        if (OF_A_CHECKOUT.contains(word)) {
            return "offhook " + word
                    + " comes with a checkout of the sources, not with this installation; run it there";
        }
        List<String> alike = new ArrayList<>();
        for (Subcommand subcommand : Subcommand.values()) {
            String name = subcommand.label();
            if (!subcommand.isHidden() && name.regionMatches(true, 0, word, 0, Math.min(3, word.length()))) {
                alike.add(name);
            }
        }
        String known = alike.isEmpty() ? "see offhook --help" : "did you mean " + String.join(" or ", alike) + "?";
        return "there is no command " + word + "; " + known;
    }

    private static boolean isFile(String word) {
        try {
            return word.equals("-") || Files.exists(Path.of(word));
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
