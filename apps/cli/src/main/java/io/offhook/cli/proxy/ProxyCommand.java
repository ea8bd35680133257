package io.offhook.cli.proxy;

import io.offhook.cli.command.Amount;
import io.offhook.cli.command.CommandGroup;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.HangUp;
import io.offhook.cli.terminal.Interruption;
import io.offhook.cli.terminal.Terminal;
import io.offhook.config.ConfigException;
import io.offhook.config.ConfigFault;
import io.offhook.config.ConfigReader;
import io.offhook.linux.lanes.LaneBoard;
import io.offhook.proxy.Proxy;
import io.offhook.proxy.ProxyConfig;
import io.offhook.proxy.ProxyEnvironment;
import io.offhook.proxy.ProxyRehearsal;
import io.offhook.proxy.config.ListenerConfig;
import io.offhook.proxy.control.LiveState;
import io.offhook.proxy.line.LineOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** {@code offhook proxy [--config FILE]}: a SIP proxy and registrar. */
public final class ProxyCommand implements CommandGroup {
    private static final String PREFIX = "OFFHOOK_PROXY_";
    private static final long REHEARSAL_NS = 3_000_000_000L;

    @Override
    public List<Nested> nested() {
        return ProxySubcommands.ALL;
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.addOption(
                "-c",
                "--config",
                "FILE",
                String.class,
                "The configuration, in YAML (docs/PROXY.md). Default: a registrar and proxy on 127.0.0.1:5060 for this host.");
        spec.addFlag("--check", "Only check the configuration, and report all faults with their lines.");
        Amount.describeDuration(spec);
        spec.addFlag(
                "--no-rehearsal",
                "Start at once. By default, calls run through a second proxy on loopback first, for 3 s at most.");
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        String file = arguments.optionValue("--config", String.class);
        boolean isCheck = arguments.hasMatchedOption("--check");
        ProxyConfig config;
        try {
            config = read(file, isCheck);
        } catch (ConfigException e) {
            for (ConfigFault fault : e.faults()) {
                terminal.error(fault.toString());
            }
            return ExitCode.MISUSE;
        }
        if (isCheck) {
            terminal.out().append(file == null ? "defaults" : file).append(": no faults\n");
            return ExitCode.DONE;
        }
        if (!arguments.hasMatchedOption("--no-rehearsal")) {
            ProxyRehearsal.run(config, REHEARSAL_NS);
        }
        long durationNs = Amount.durationNs(arguments, Long.MAX_VALUE);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean isHurried = new AtomicBoolean();
        ProxyEnvironment environment = new ProxyEnvironment(
                failure -> terminal.error(describe(failure)),
                LineOutput.of(terminal.err()),
                System.getenv(),
                System.getProperty("user.name", ""),
                true,
                () -> read(file, false),
                isNow -> {
                    isHurried.set(isNow);
                    end.countDown();
                });
        try (LaneBoard board = LaneBoard.open("proxy", null);
                Proxy proxy = Proxy.open(config, environment)) {
            if (board != null) {
                proxy.lanes().lanes().forEach(lane -> lane.publish(board));
            }
            try (Interruption _ = Interruption.of(end::countDown);
                    HangUp _ = HangUp.to(() -> report(proxy.reload(environment), terminal))) {
                greet(proxy, file == null, terminal);
                await(end, durationNs);
            }
            // the signals have their usual effect again: a second one ends the process at once
            if (isHurried.get()) {
                proxy.closeNow();
            }
        } catch (IOException e) {
            terminal.error(String.valueOf(e.getMessage()));
            return ExitCode.MISUSE;
        }
        return ExitCode.DONE;
    }

    private static void report(LiveState.Reload reload, Terminal terminal) {
        terminal.error(reload.isApplied() ? "the configuration was reloaded" : "the configuration was not applied:");
        reload.lines().forEach(terminal::error);
    }

    private static ProxyConfig read(@Nullable String file, boolean isCheck) {
        if (file == null) {
            return ProxyConfig.defaults();
        }
        ConfigReader<ProxyConfig> reader = isCheck ? ProxyConfig.reader() : ProxyConfig.readerForThisMachine();
        return reader.environment(PREFIX, System.getenv()).read(Path.of(file));
    }

    private static void greet(Proxy proxy, boolean isDefault, Terminal terminal) throws IOException {
        if (isDefault) {
            terminal.out()
                    .append("a registrar and proxy for phones on this host, without passwords: accounts such as"
                            + " alice@127.0.0.1\n");
        }
        List<ListenerConfig> listeners = proxy.config().listeners();
        for (int i = 0; i < listeners.size(); i++) {
            ListenerConfig listener = listeners.get(i);
            terminal.out()
                    .append("listening on ")
                    .append(listener.transport().toString())
                    .append(' ')
                    .append(proxy.addresses().get(i).toString().replaceFirst("^.*/", ""))
                    .append('\n');
        }
        terminal.out().flush();
    }

    private static void await(CountDownLatch end, long durationNs) {
        try {
            if (durationNs == Long.MAX_VALUE) {
                end.await();
            } else {
                boolean _ = end.await(durationNs, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String describe(Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        return "internal error (a bug in Offhook; please report it): " + failure
                + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}
