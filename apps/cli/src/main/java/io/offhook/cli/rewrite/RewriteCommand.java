package io.offhook.cli.rewrite;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.terminal.Terminal;
import java.io.IOException;

/**
 * {@code offhook convert FILE... -w FILE}: writes packets to one file, in another format, selected, shortened or
 * anonymised; and {@code offhook merge FILE... -w FILE}, which does the same without changes to packets.
 */
public final class RewriteCommand implements Command {
    private final boolean isMerge;

    private RewriteCommand(boolean isMerge) {
        this.isMerge = isMerge;
    }

    public static RewriteCommand convert() {
        return new RewriteCommand(false);
    }

    public static RewriteCommand merge() {
        return new RewriteCommand(true);
    }

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        RewriteTarget.describe(spec, "The file to write; - for standard output.");
        if (isMerge) {
            InputOptions.describeFilter(spec);
        } else {
            RewriteSelection.describe(spec);
        }
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        RewriteTarget target = RewriteTarget.of(arguments, output, terminal, false);
        RewriteSelection selection = RewriteSelection.of(arguments, output.times());
        return RewriteRun.run(InputOptions.files(arguments, 0), target, selection, null, output, terminal);
    }
}
