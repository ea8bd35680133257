package io.offhook.cli.input;

import io.offhook.cli.command.Amount;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.pcap.file.RotationLimits;

/** The options for the limits of each file of a series and the number of files kept. */
public final class RotationOptions {
    private RotationOptions() {}

    public static void describe(CommandSpec spec) {
        spec.addOption("--packets", "N", Long.class, "Limit each file to this many packets.");
        spec.addOption(
                "--bytes",
                "SIZE",
                String.class,
                "Limit each file to this size before compression: 100M, or 64Ki for 65,536.");
        spec.addOption("--seconds", "S", String.class, "Limit each file to this time span, from its first packet on.");
        spec.addOption("--keep", "N", Integer.class, "Keep only the last N files.");
    }

    /** Whether an option was given that produces a series of files. */
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
            throw new MisuseException(option + " " + value + " is less than 1");
        }
        return value;
    }
}
