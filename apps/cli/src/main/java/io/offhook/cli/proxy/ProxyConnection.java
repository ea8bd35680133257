package io.offhook.cli.proxy;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.proxy.control.ControlClient;
import io.offhook.proxy.control.ControlException;
import io.offhook.proxy.control.ControlRequest;
import io.offhook.proxy.control.ControlSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The way of a command to the proxy that runs, and what all of them have in common. */
final class ProxyConnection {
    private static final String SOCKET = "--socket";

    /** What a command does while it is connected. */
    interface Work {
        void with(ProxyConnection connection) throws IOException;
    }

    private final ControlClient client;

    private ProxyConnection(ControlClient client) {
        this.client = client;
    }

    static void describe(CommandSpec spec) {
        spec.addOption(
                SOCKET,
                "PATH",
                String.class,
                "The control socket of the proxy. Default: where a proxy of the same user has it.");
        OutputOptions.describe(spec);
    }

    /** Connects, works, and reports what the proxy refuses. @return an {@link ExitCode} */
    static int run(ParseResult arguments, Terminal terminal, Work work) throws IOException {
        if (OutputOptions.of(arguments).format() == Format.CSV) {
            throw new MisuseException("--format csv is not supported here; use table or json");
        }
        String socket = arguments.optionValue(SOCKET, String.class);
        Path path = socket == null
                ? ControlSocket.usual(System.getenv(), System.getProperty("user.name", ""))
                : Path.of(socket);
        try (ControlClient client = ControlClient.connect(path)) {
            work.with(new ProxyConnection(client));
            terminal.flush();
            return ExitCode.DONE;
        } catch (ControlException e) {
            terminal.error(String.valueOf(e.getMessage()));
            return ExitCode.UNREADABLE;
        }
    }

    /** Asks a command. */
    List<ProxyRecord> ask(String command, List<String> words) {
        List<ProxyRecord> records = new ArrayList<>();
        for (String line : client.ask(new ControlRequest(command, words))) {
            records.add(ProxyRecord.parse(line));
        }
        return records;
    }
}
