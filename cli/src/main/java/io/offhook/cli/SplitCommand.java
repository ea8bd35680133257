package io.offhook.cli;

import io.offhook.pcap.RotationLimits;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** {@code offhook split FILE... -w NAME}: a capture to several files, by packets, size or time, by calls or flows. */
final class SplitCommand implements Command {
    private static final List<String> NOT_WITH_PER = List.of(
            "--packets",
            "--bytes",
            "--seconds",
            "--keep",
            "--since",
            "--until",
            "--frames",
            "--count",
            "--snap-length",
            "--headers-only",
            "--anonymise",
            "--anonymise-macs");

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        RewriteTarget.describe(
                spec,
                "The name of the files: name.pcapng stands for name_00001_20261121170300.pcapng and so on, with number"
                        + " and time (UTC) of the first packet.");
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
        spec.addOption(OptionSpec.builder("--per")
                .paramLabel("WHAT")
                .type(SplitGroups.Per.class)
                .description(
                        "A file for each call, with the packets that call -w writes, numbered as offhook calls numbers"
                                + " them; or for each flow, in the order of their first packets.")
                .build());
        RewriteSelection.describe(spec);
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        RewriteTarget target = RewriteTarget.of(arguments, output, terminal, true);
        SplitGroups.Per per = arguments.optionValue("--per", SplitGroups.Per.class);
        if (per != null) {
            checkAlone(arguments);
            List<String> files = InputOptions.files(arguments, 0);
            return SplitGroups.run(files, target, per, InputOptions.filter(arguments), output, terminal);
        }
        RewriteSelection selection = RewriteSelection.of(arguments, output.times());
        return RewriteRun.run(InputOptions.files(arguments, 0), target, selection, limits(arguments), output, terminal);
    }

    private static void checkAlone(ParseResult arguments) {
        for (String option : NOT_WITH_PER) {
            if (arguments.hasMatchedOption(option)) {
                throw new MisuseException(
                        option + " does not go with --per, which writes packets as they are; of options"
                                + " that choose packets only --filter does");
            }
        }
    }

    private static RotationLimits limits(ParseResult arguments) {
        long packets = positive("--packets", arguments.matchedOptionValue("--packets", 0L), arguments);
        int keep = arguments.matchedOptionValue("--keep", 0);
        positive("--keep", keep, arguments);
        String bytes = arguments.optionValue("--bytes", String.class);
        String seconds = arguments.optionValue("--seconds", String.class);
        if (packets == 0 && bytes == null && seconds == null) {
            throw new MisuseException(
                    "--packets, --bytes or --seconds is needed, which says when a file is full, or --per");
        }
        return new RotationLimits(bytes == null ? 0 : bytes(bytes), seconds == null ? 0 : ns(seconds), packets, keep);
    }

    private static long positive(String option, long value, ParseResult arguments) {
        if (arguments.hasMatchedOption(option) && value < 1) {
            throw new MisuseException(option + " " + value + " is below 1");
        }
        return value;
    }

    /** "1500000", "1.5M", "64Ki". */
    private static long bytes(String text) {
        String number = text.replaceFirst("(?i)[kmgt]?i?b?$", "");
        String unit = text.substring(number.length()).toLowerCase(Locale.ROOT).replaceFirst("b$", "");
        long base = unit.endsWith("i") ? 1024 : 1000;
        int power = unit.isEmpty() ? 0 : "kmgt".indexOf(unit.charAt(0)) + 1;
        if (number.matches("[0-9]{1,15}(\\.[0-9]{1,6})?") && !unit.equals("i")) {
            BigDecimal bytes =
                    new BigDecimal(number).multiply(BigDecimal.valueOf(base).pow(power));
            if (bytes.signum() > 0 && bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
                return Math.max(1, bytes.longValue());
            }
        }
        throw new MisuseException("--bytes " + text + " is no size; 1500000, 100M and 64Ki are");
    }

    private static long ns(String text) {
        if (text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            long ns = new BigDecimal(text).movePointRight(9).longValueExact();
            if (ns > 0) {
                return ns;
            }
        }
        throw new MisuseException("--seconds " + text + " is no length of time; 60 and 0.5 are");
    }
}
