package io.offhook.cli.threads;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.command.TimeBound;
import io.offhook.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** {@code offhook threads play FILE}: a recording as a table, as the page that it was, or as data. */
final class PlayCommand implements Command {
    private static final String SPEED = "--speed";
    private static final String EXPORT = "--export";

    /**
     * What is asked for.
     *
     * @param speed times as fast as it was; 0: at once
     * @param export null for none
     * @param plot null for none
     */
    record Options(
            @Nullable TimeBound since,
            @Nullable TimeBound until,
            double speed,
            @Nullable Path export,
            @Nullable Path plot) {}

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter("FILE", "A recording, which offhook threads --record wrote or is writing.");
        spec.addOption("--since", "TIME", String.class, "Only from this time on.");
        spec.addOption("--until", "TIME", String.class, "Only up to this time.");
        spec.addOption(
                SPEED,
                "N",
                String.class,
                "Redraw the page as it was, N times as fast; by default a table of the whole is printed at once.");
        spec.addOption(
                EXPORT,
                "FILE",
                String.class,
                "Write a line a thread and reading to this file: .csv, .jsonl (an object a line) or .parquet.");
        PlotOption.describe(spec);
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        Options options = new Options(
                TimeBound.since(arguments, output.times().zone()),
                TimeBound.until(arguments, output.times().zone()),
                speed(arguments.optionValue(SPEED, String.class)),
                export(arguments.optionValue(EXPORT, String.class)),
                PlotOption.of(arguments));
        try (PlayRun run = new PlayRun(options, output, terminal)) {
            return run.run(arguments.parameter(0)) ? ExitCode.DONE : ExitCode.UNREADABLE;
        }
    }

    private static double speed(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        if (text.matches("[0-9]{1,6}(\\.[0-9]{1,3})?")) {
            double speed = Double.parseDouble(text);
            if (speed > 0) {
                return speed;
            }
        }
        throw new MisuseException(SPEED + " " + text + " is not a speed; examples: 1 (as it was), 60, 0.5");
    }

    private static @Nullable Path export(@Nullable String name) {
        if (name != null && !ThreadExport.isKnown(name)) {
            throw new MisuseException(EXPORT + " " + name + ": name a file that ends in .csv, .jsonl or .parquet");
        }
        return name == null ? null : Path.of(name);
    }
}
