package io.offhook.cli;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.command.Version;
import io.offhook.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code offhook man DIR}: writes a man page of each command into a folder. Hidden: packages are made with it. */
final class ManCommand implements Command {

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter("DIR", "An existing folder, such as /usr/local/share/man/man1.");
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        Path folder = Path.of(arguments.parameter(0));
        if (!Files.isDirectory(folder)) {
            throw new MisuseException(folder + " is not a folder; create it first");
        }
        List<CommandSpec> commands = Usage.specs();
        String version = Version.number();
        Files.writeString(folder.resolve("offhook.1"), ManPage.ofOffhook(commands, version));
        List<CommandSpec> all = new ArrayList<>(commands);
        all.addAll(Usage.nestedSpecs());
        for (CommandSpec command : all) {
            Files.writeString(
                    folder.resolve(ManPage.name(command) + ".1"),
                    ManPage.of(command, Usage.synopsis(command), version));
        }
        return ExitCode.DONE;
    }
}
