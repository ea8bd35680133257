package io.offhook.cli.command;

import io.offhook.cli.terminal.Terminal.ColorMode;
import io.offhook.cli.terminal.Times;

/**
 * The options that say how to print.
 *
 * @param format of what is printed
 * @param color whether tables have colours
 * @param times formats the times in tables
 */
public record OutputOptions(Format format, ColorMode color, Times times) {

    public static void describe(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("--format")
                .paramLabel("FORMAT")
                .type(Format.class)
                .description("table (default), json or csv.")
                .build());
        spec.addOption(OptionSpec.builder("--color")
                .paramLabel("WHEN")
                .type(ColorMode.class)
                .description("auto (default: on a terminal, unless NO_COLOR is set), always or never.")
                .build());
        spec.addOption(OptionSpec.builder("--utc")
                .description("Times of tables in UTC, not in local time; also those of --since and --until.")
                .build());
    }

    public static OutputOptions of(ParseResult arguments) {
        return new OutputOptions(
                arguments.matchedOptionValue("--format", Format.TABLE),
                arguments.matchedOptionValue("--color", ColorMode.AUTO),
                Times.of(arguments.hasMatchedOption("--utc")));
    }
}
