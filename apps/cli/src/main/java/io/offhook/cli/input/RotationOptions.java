package io.offhook.cli.input;

import io.offhook.cli.command.Amount;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OptionSpec;
import io.offhook.cli.command.ParseResult;
import io.offhook.pcap.file.RotationLimits;

/** The options that say when the next of several files begins, and how many are kept. */
public final class RotationOptions {
    private RotationOptions() {}

    public static void describe(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("--packets")
                .paramLabel("N")
                .type(Long.class)
                .description("Packets in each file.")
                .build());
        spec.addOption(OptionSpec.builder("--bytes")
                .paramLabel("SIZE")
                .type(String.class)
                .description("Size of each file, before compression: 100M, or 64Ki for 65,536.")
                .build());
        spec.addOption(OptionSpec.builder("--seconds")
                .paramLabel("S")
                .type(String.class)
                .description("Time that each file spans, from the first packet on.")
                .build());
        spec.addOption(OptionSpec.builder("--keep")
                .paramLabel("N")
                .type(Integer.class)
                .description("Keep only the last N files.")
                .build());
    }

    /** Whether any of them was given that makes several files. */
    public static boolean isGiven(ParseResult arguments) {
        return arguments.hasMatchedOption("--packets")
                || arguments.hasMatchedOption("--bytes")
                || arguments.hasMatchedOption("--seconds");
    }

    public static RotationLimits limits(ParseResult arguments) {
        long packets = positive("--packets", arguments.matchedOptionValue("--packets", 0L), arguments);
        int keep = arguments.matchedOptionValue("--keep", 0);
        positive("--keep", keep, arguments);
        String bytes = arguments.optionValue("--bytes", String.class);
        String seconds = arguments.optionValue("--seconds", String.class);
        return new RotationLimits(
                bytes == null ? 0 : Amount.bytes("--bytes", bytes),
                seconds == null ? 0 : Amount.seconds("--seconds", seconds),
                packets,
                keep);
    }

    private static long positive(String option, long value, ParseResult arguments) {
        if (arguments.hasMatchedOption(option) && value < 1) {
            throw new MisuseException(option + " " + value + " is below 1");
        }
        return value;
    }
}
