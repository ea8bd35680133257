package io.offhook.cli;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import java.io.IOException;
import java.util.List;

/** {@code offhook completion bash|zsh|fish}: prints a script by which a shell completes commands, options and values. */
final class CompletionCommand implements Command {

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter("SHELL", "bash, zsh or fish; to use it at once: source <(offhook completion bash)");
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        String shell = arguments.parameter(0);
        List<CommandSpec> commands = Usage.specs();
        terminal.out()
                .append(
                        switch (shell) {
                            case "bash" -> new BashCompletion(commands).script();
                            case "zsh" -> new ZshCompletion(commands).script();
                            case "fish" -> new FishCompletion(commands).script();
                            default -> throw new MisuseException(shell + " is not one of bash, zsh, fish");
                        });
        return ExitCode.DONE;
    }
}
