package io.offhook.cli.serve;

import io.offhook.cli.calls.LiveCalls;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.HepInput;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.LaneOptions;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.terminal.Terminal;
import io.offhook.config.ConfigException;
import io.offhook.web.access.PasswordHash;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code offhook serve [-i NAME] [FILE...]}: shows calls on a page, and keeps them in a database. */
public final class ServeCommand implements Command {
    static final String LISTEN = "127.0.0.1:8080";
    static final String ALLOW_AUDIO = "--allow-audio";
    private static final String HASH_PASSWORD = "--hash-password";

    @Override
    public void describe(CommandSpec spec) {
        spec.addOptionalParameters(
                "FILE",
                "Captures whose calls are shown, as for offhook calls, beside those of -i and --hep. Without any of them, the"
                        + " calls in --db.");
        spec.addOption(
                "--db",
                "FILE",
                String.class,
                "Keep calls in this DuckDB database (docs/SCHEMA.md); by default in one that is deleted at the end.");
        spec.addOption(
                "--listen",
                "ADDRESS:PORT",
                String.class,
                "Where the page is: default " + LISTEN
                        + "; port 0 takes a free one. What others can reach needs passwords.");
        spec.addFlag(
                ALLOW_AUDIO,
                "Calls can be listened to on the page. In many places that needs the consent of their parties.");
        spec.addOption(
                KeptOnDisk.KEEP_PACKETS,
                "SIZE",
                String.class,
                "Keep the packets of live calls, in up to this much of the disk (20Gi): their export, and their audio with"
                        + " --allow-audio. In a folder beside --db; in many places that needs consent, too.");
        spec.addFlag(
                HASH_PASSWORD, "Read a password from standard input, print its hash for the configuration, and end.");
        InputOptions.describeMedia(
                spec, "Configuration in YAML: passwords, TLS, how calls are judged and more (docs/SERVE.md).");
        InputOptions.describeJoins(spec);
        InputOptions.describeLanes(spec);
        LiveOptions.describe(spec);
        HepInput.describe(spec);
        KeyOptions.describe(spec);
        KeyOptions.describeMedia(spec);
        LaneOptions.describe(spec);
        LiveCalls.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        if (arguments.hasMatchedOption(HASH_PASSWORD)) {
            return hashPassword(terminal);
        }
        Serving serving = new Serving(arguments, config(arguments), terminal);
        return serving.run();
    }

    private static ServeConfig config(ParseResult arguments) {
        String file = arguments.optionValue("--config", String.class);
        if (file == null) {
            return ServeConfig.defaults();
        }
        try {
            return ServeConfig.read(Path.of(file));
        } catch (ConfigException e) {
            List<String> faults = new ArrayList<>();
            e.faults().forEach(fault -> faults.add(fault.toString()));
            throw new MisuseException(faults);
        }
    }

    private static int hashPassword(Terminal terminal) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8));
        String password = lines.readLine();
        if (password == null || password.isEmpty()) {
            throw new MisuseException(HASH_PASSWORD + " reads the password from standard input, where there is none");
        }
        terminal.out().append(PasswordHash.of(password)).append('\n');
        terminal.flush();
        return ExitCode.DONE;
    }
}
