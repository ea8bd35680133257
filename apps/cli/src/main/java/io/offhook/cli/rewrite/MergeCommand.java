package io.offhook.cli.rewrite;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.terminal.Terminal;
import java.io.IOException;

/** {@code offhook merge FILE... -w FILE}: several captures to one, by time, each interface of each file by itself. */
public final class MergeCommand implements Command {
    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        RewriteTarget.describe(spec, "Where to write to; - for standard output.");
        InputOptions.describeFilter(spec);
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
