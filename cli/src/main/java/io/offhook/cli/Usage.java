package io.offhook.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** How the command line is taken apart and explained. No annotations: looking for them would slow down every start. */
final class Usage {
    private static final int OPTION_COLUMNS = 28;

    private Usage() {}

    /** Gives a command the arguments that follow its name. */
    static int run(Subcommand subcommand, String[] args, Terminal terminal) throws IOException {
        Command command = subcommand.make();
        CommandSpec spec = specification(subcommand);
        command.describe(spec);
        CommandLine parser = new CommandLine(spec);
        parser.setCaseInsensitiveEnumValuesAllowed(true);
        String hint = "; see offhook " + subcommand.label() + " --help";
        try {
            ParseResult arguments = parser.parseArgs(args);
            if (arguments.isUsageHelpRequested()) {
                terminal.out().append(text(parser, terminal));
                return ExitCode.DONE;
            }
            return command.run(arguments, terminal);
        } catch (MisuseException e) {
            throw new MisuseException(e.getMessage() + hint);
        } catch (ParameterException e) {
            throw new MisuseException(message(e) + hint);
        }
    }

    private static String message(ParameterException e) {
        String message = String.valueOf(e.getMessage());
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }

    private static CommandSpec specification(Subcommand subcommand) {
        CommandSpec spec = CommandSpec.create().name("offhook " + subcommand.label());
        spec.usageMessage().description(subcommand.summary());
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("This text.")
                .build());
        return spec;
    }

    private static String text(CommandLine parser, Terminal terminal) {
        parser.getCommandSpec()
                .usageMessage()
                .width(terminal.helpWidth())
                .longOptionsMaxWidth(OPTION_COLUMNS)
                .sortOptions(false)
                .abbreviateSynopsis(true)
                .adjustLineBreaksForWideCJKCharacters(false);
        return parser.getUsageMessage(terminal.isColored(Terminal.ColorMode.AUTO) ? Ansi.ON : Ansi.OFF);
    }

    /** The help of offhook as a whole. */
    static String ofOffhook(Terminal terminal) {
        CommandSpec root = CommandSpec.create().name("offhook");
        root.usageMessage()
                .description("Packet captures in, VoIP calls out: who, when, how they ended, their quality, and why.")
                .customSynopsis("offhook COMMAND [OPTIONS] FILE...", "offhook COMMAND --help")
                .commandListHeading("%nCommands:%n")
                .optionListHeading("%nOptions:%n")
                .footer(
                        "",
                        "Examples:",
                        "  offhook calls capture.pcap                    the calls, a line each",
                        "  offhook calls --bad 'captures/*.pcap'         those that went wrong, and why",
                        "  offhook calls --format json capture.pcap      for programs; docs/OUTPUT.md lists the fields",
                        "  offhook call ID capture.pcap                  one call, message by message",
                        "  offhook streams --wireshark capture.pcap      RTP figures as Wireshark has them",
                        "",
                        "Exit codes: 0 done, 1 --fail-on met, 2 misuse, 3 a file was not readable to its end.");
        root.addOption(OptionSpec.builder("-h", "--help")
                .description("This text; after a command, what it takes.")
                .build());
        root.addOption(OptionSpec.builder("-V", "--version")
                .description("Which version this is, on which Java.")
                .build());
        for (Subcommand subcommand : Subcommand.values()) {
            if (!subcommand.isHidden()) {
                CommandSpec spec = CommandSpec.create();
                spec.usageMessage().description(subcommand.summary());
                root.addSubcommand(subcommand.label(), spec);
            }
        }
        return text(new CommandLine(root), terminal);
    }

    /** What to say of a first word that is no command. */
    static String unknownCommand(String word) {
        if (word.startsWith("-") && word.length() > 1) {
            return "there is no option " + word + " before the command; see offhook --help";
        }
        if (isFile(word)) {
            return "a command is needed before the file: offhook calls " + word;
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
