package io.offhook.cli.command;

import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Terminal.ColorMode;
import io.offhook.report.text.TimeForm;
import io.offhook.report.text.Times;

/**
 * The options for output.
 *
 * @param format the output format
 * @param color when tables are coloured
 * @param times formats the times in tables
 */
public record OutputOptions(Format format, ColorMode color, Times times) {
    private static final String TIME = "--time";

    public static void describe(CommandSpec spec) {
        spec.addOption("--format", "FORMAT", Format.class, "table (default), json or csv.");
        spec.addOption(
                "--color",
                "WHEN",
                ColorMode.class,
                "auto (default: on a terminal, unless NO_COLOR is set), always or never.");
        spec.addOption(
                TIME,
                "FORM",
                TimeForm.class,
                "Times in JSON and CSV: epoch (default: seconds since 1970) or iso (ISO 8601, UTC).");
        spec.addFlag("--utc", "Use UTC instead of local time, in tables and for --since and --until.");
    }

    /** Makes the terminal write times as {@code --time} asks. */
    public static void applyTime(ParseResult arguments, Terminal terminal) {
        terminal.timeForm(arguments.matchedOptionValue(TIME, TimeForm.EPOCH));
    }

    public static OutputOptions of(ParseResult arguments) {
        return new OutputOptions(
                arguments.matchedOptionValue("--format", Format.TABLE),
                arguments.matchedOptionValue("--color", ColorMode.AUTO),
                Times.of(arguments.hasMatchedOption("--utc")));
    }
}
