package io.offhook.cli.rewrite;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.RotationOptions;
import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.file.RotationLimits;
import java.io.IOException;
import java.util.List;

/** {@code offhook split FILE... -w NAME}: splits a capture into several files, by packets, size, time, calls or flows. */
public final class SplitCommand implements Command {
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
                "The name of the series: name.pcapng becomes name_00001_20261121170300.pcapng and so on, with number"
                        + " and time (UTC) of the first packet.");
        RotationOptions.describe(spec);
        spec.addOption(
                "--per",
                "WHAT",
                SplitGroups.Per.class,
                "Write a file per call, with the packets that call -w writes, numbered as in offhook calls; or per"
                        + " flow, in the order of first packets.");
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
                        option + " cannot be combined with --per, which writes packets unchanged; to select"
                                + " packets, use --filter");
            }
        }
    }

    private static RotationLimits limits(ParseResult arguments) {
        if (!RotationOptions.isGiven(arguments)) {
            throw new MisuseException(
                    "one of --packets, --bytes, --seconds and --per is required; it sets where to split");
        }
        return RotationOptions.limits(arguments);
    }
}
