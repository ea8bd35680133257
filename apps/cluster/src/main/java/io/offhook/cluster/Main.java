package io.offhook.cluster;

import io.offhook.cli.command.ExitCode;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cluster.command.ClusterCommand;
import io.offhook.cluster.command.ProbeCommand;
import java.util.Arrays;

/** {@code offhook probe} and {@code offhook cluster}, which the launcher runs in a checkout. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        int code = run(args, Terminal.ofProcess());
        Terminal.exits(code);
        System.exit(code);
    }

    /** Runs the command that the first argument names, and returns the exit code. */
    public static int run(String[] args, Terminal terminal) {
        String word = args.length == 0 ? "" : args[0];
        String[] rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
        return switch (word) {
            case "probe" -> io.offhook.cli.Main.run(word, ProbeCommand.SUMMARY, new ProbeCommand(), rest, terminal);
            case "cluster" ->
                io.offhook.cli.Main.run(word, ClusterCommand.SUMMARY, new ClusterCommand(), rest, terminal);
            default -> {
                terminal.error("the commands here are probe and cluster; see offhook probe --help");
                yield ExitCode.MISUSE;
            }
        };
    }
}
