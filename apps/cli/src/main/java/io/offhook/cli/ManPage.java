package io.offhook.cli;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.OptionSpec;
import java.util.List;
import java.util.Locale;

/** Man pages, in the macros of man(7), of the descriptions that the help prints. */
final class ManPage {
    private final StringBuilder text = new StringBuilder(1 << 12);

    private ManPage(String name, String version) {
        text.append(".TH ")
                .append(escaped(name.toUpperCase(Locale.ROOT)))
                .append(" 1 \"\" \"Offhook ")
                .append(escaped(version))
                .append("\" \"User Commands\"\n");
    }

    /** "offhook-calls" for the command "offhook calls". */
    static String name(CommandSpec command) {
        return command.name().replace(' ', '-');
    }

    /** The page of one command. */
    static String of(CommandSpec command, String synopsis, String version) {
        ManPage page = new ManPage(name(command), version);
        page.section("NAME").line(name(command) + " - " + command.summary().replaceFirst("\\.$", ""));
        page.section("SYNOPSIS").line(synopsis);
        page.section("DESCRIPTION").line(command.summary());
        for (CommandSpec.Parameter parameter : command.parameters()) {
            page.entry(parameter.label(), parameter.description());
        }
        page.section("OPTIONS");
        for (OptionSpec option : command.options()) {
            String names = String.join(", ", option.names());
            page.entry(option.isFlag() ? names : names + " " + option.label(), option.description());
        }
        page.section("SEE ALSO").line("offhook(1)");
        return page.text.toString();
    }

    /** The page of {@code offhook} itself. */
    static String ofOffhook(List<CommandSpec> commands, String version) {
        ManPage page = new ManPage("offhook", version);
        page.section("NAME").line("offhook - find VoIP calls in packet captures, and work with packets");
        page.section("SYNOPSIS").line("offhook COMMAND [OPTIONS] FILE...");
        page.section("DESCRIPTION")
                .line("Packet captures in, VoIP calls out: who, when, how they ended, their quality, and why.");
        page.section("COMMANDS");
        for (CommandSpec command : commands) {
            page.entry(name(command) + "(1)", command.summary());
        }
        page.section("EXIT STATUS");
        page.entry("0", "Done.");
        page.entry("1", "A condition of --fail-on was met.");
        page.entry("2", "Misuse: invalid options or arguments.");
        page.entry("3", "A file could not be read to its end.");
        page.entry("69, 70, 74", "Offhook could not be started; an internal error; the output could not be written.");
        page.section("ENVIRONMENT");
        page.entry("NO_COLOR", "If set: no colours, unless --color always is given.");
        page.entry("OFFHOOK_JAVA_HOME, OFFHOOK_JAVA_OPTIONS", "The JDK to run on, and options for it.");
        return page.text.toString();
    }

    private ManPage section(String title) {
        text.append(".SH ").append(title).append('\n');
        return this;
    }

    private void entry(String name, String meaning) {
        text.append(".TP\n.B ").append(escaped(name)).append('\n');
        line(meaning);
    }

    private void line(String words) {
        String escaped = escaped(words);
        // a line that begins with a dot or an apostrophe would be a request
        text.append(escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" : "")
                .append(escaped)
                .append('\n');
    }

    private static String escaped(String words) {
        return words.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
    }
}
