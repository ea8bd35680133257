package io.offhook.cli.command;

import io.offhook.cli.terminal.Terminal.ColorMode;
import io.offhook.cli.terminal.Times;

/**
 * The options for output.
 *
 * @param format the output format
 * @param color when tables are coloured
 * @param times formats the times in tables
 */
public record OutputOptions(Format format, ColorMode color, Times times) {

    public static void describe(CommandSpec spec) {
        spec.addOption("--format", "FORMAT", Format.class, "table (default), json or csv.");
        spec.addOption(
                "--color",
                "WHEN",
                ColorMode.class,
                "auto (default: on a terminal, unless NO_COLOR is set), always or never.");
        spec.addFlag("--utc", "Use UTC instead of local time, in tables and for --since and --until.");
    }

    public static OutputOptions of(ParseResult arguments) {
        return new OutputOptions(
                arguments.matchedOptionValue("--format", Format.TABLE),
                arguments.matchedOptionValue("--color", ColorMode.AUTO),
                Times.of(arguments.hasMatchedOption("--utc")));
    }
}
