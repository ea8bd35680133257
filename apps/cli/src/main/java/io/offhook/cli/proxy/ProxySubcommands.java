package io.offhook.cli.proxy;

import io.offhook.cli.command.CommandGroup.Nested;
import java.util.List;

/** The commands that look into a proxy that runs, and those that change it. */
final class ProxySubcommands {
    static final List<Nested> ALL = List.of(
            new Nested("calls", "List the calls of the running proxy.", ProxyCallsCommand::new),
            new Nested("call", "Show one call of the running proxy, with its last messages.", ProxyCallCommand::new),
            new Nested("registrations", "List the bindings of its registrar.", ProxyRegistrationsCommand::new),
            new Nested(
                    "groups", "List its groups of next hops, and the state of their members.", ProxyGroupsCommand::new),
            new Nested(
                    "stats",
                    "Show what it counts; --messages: between which two neighbours messages vanish.",
                    ProxyStatsCommand::new),
            new Nested("top", "Show the most important figures again and again.", ProxyTopCommand::new),
            new Nested(
                    "log",
                    "Show or set log levels, for a time or for good; open log files again.",
                    () -> new ProxyLogCommand("log")),
            new Nested("trace", "Write the messages of matching calls to its log.", () -> new ProxyLogCommand("trace")),
            new Nested("ban", "List the banned addresses, or ban one.", () -> new ProxyActionCommand("ban")),
            new Nested("unban", "Listen to a banned address again.", () -> new ProxyActionCommand("unban")),
            new Nested(
                    "reload",
                    "Read its configuration again; a wrong one changes nothing.",
                    () -> new ProxyActionCommand("reload")),
            new Nested("users", "Add, remove or list users of the user file.", ProxyUsersCommand::new),
            new Nested("stop", "End it: in order, or at once.", () -> new ProxyActionCommand("stop")));

    private ProxySubcommands() {}
}
