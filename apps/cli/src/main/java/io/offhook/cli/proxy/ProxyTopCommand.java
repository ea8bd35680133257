package io.offhook.cli.proxy;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Interruption;
import io.offhook.cli.terminal.Terminal;
import io.offhook.linux.TerminalSize;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** {@code offhook proxy top}: the most important figures of a proxy that runs, again and again; in place on a terminal. */
final class ProxyTopCommand implements Command {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int STANDARD_OUTPUT = 1;
    /** Control sequences of xterm: clear the screen from the top left. */
    private static final String CLEAR = "\u001b[H\u001b[J";

    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";

    @Override
    public void describe(CommandSpec spec) {
        spec.addOption("--interval", "SECONDS", String.class, "Seconds between two looks (default 1).");
        spec.addOption("--count", "N", Integer.class, "End after so many looks; default at Ctrl-C.");
        ProxyConnection.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        long intervalNs = interval(arguments.matchedOptionValue("--interval", "1"));
        int count = arguments.matchedOptionValue("--count", Integer.MAX_VALUE);
        if (count < 1) {
            throw new MisuseException("--count " + count + " is less than 1");
        }
        boolean isPage = output.format() == Format.TABLE && terminal.isTerminal();
        return ProxyConnection.run(arguments, terminal, connection -> {
            CountDownLatch end = new CountDownLatch(1);
            try (Interruption _ = Interruption.of(end::countDown)) {
                terminal.out().append(isPage ? ENTER : "");
                for (int i = 0; i < count && (i == 0 || isTime(end, intervalNs)); i++) {
                    look(connection, output, terminal, isPage, i == 0);
                }
            } finally {
                terminal.out().append(isPage ? LEAVE : "");
                terminal.flush();
            }
        });
    }

    private static long interval(String text) {
        if (!text.matches("\\d{1,5}(\\.\\d{1,3})?") || Double.parseDouble(text) < 0.1) {
            throw new MisuseException("--interval " + text + " is not a number of seconds from 0.1, such as 1 or 0.5");
        }
        return Math.round(Double.parseDouble(text) * SECOND_NS);
    }

    /** Waits. @return false if it was ended meanwhile */
    private static boolean isTime(CountDownLatch end, long intervalNs) {
        try {
            return !end.await(intervalNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void look(
            ProxyConnection connection, OutputOptions output, Terminal terminal, boolean isPage, boolean isFirst)
            throws IOException {
        List<ProxyRecord> records = connection.ask("stats", List.of());
        for (ProxyRecord statistics : records) {
            if (output.format() == Format.JSON) {
                try (JsonFields json = terminal.json()) {
                    json.object();
                    statistics.write(json);
                    json.end();
                }
                continue;
            }
            if (isPage) {
                TerminalSize size = TerminalSize.of(STANDARD_OUTPUT);
                if (size != null) {
                    terminal.resize(size.lines(), size.columns());
                }
            }
            terminal.out().append(isPage ? CLEAR : isFirst ? "" : "\n");
            ProxyStatsText text = new ProxyStatsText(terminal, terminal.isColored(output.color()));
            text.overview(statistics);
            terminal.out().append(ProxyStatsText.memory(statistics)).append('\n');
            text.transactions(statistics);
            text.delays(statistics);
            text.sockets(statistics);
            text.causes(statistics);
        }
        terminal.flush();
    }
}
