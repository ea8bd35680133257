package io.offhook.cli;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.Version;
import io.offhook.cli.terminal.OutputClosedException;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.FileTruncatedException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceConfigurationError;

/**
 * The {@code offhook} command. It runs the subcommand that its arguments name, and turns every failure into an
 * {@link ExitCode} and at most one line of text.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        int code = run(args, Terminal.ofProcess());
        Terminal.exits(code);
        System.exit(code);
    }

    /** Runs the subcommand that the arguments name, and returns the exit code. */
    public static int run(String[] args, Terminal terminal) {
        return contained(() -> dispatch(args, terminal), terminal);
    }

    /**
     * Runs a command that another module has, as those of {@code offhook} run.
     *
     * @param label as typed: "probe"
     * @param summary one sentence, for its help
     * @return the exit code
     */
    public static int run(String label, String summary, Command command, String[] args, Terminal terminal) {
        return contained(() -> Usage.run(label, summary, command, args, terminal), terminal);
    }

    @FunctionalInterface
    private interface Work {
        int run() throws IOException;
    }

    private static int contained(Work work, Terminal terminal) {
        try {
            int code = work.run();
            terminal.flush();
            return code;
        } catch (MisuseException e) {
            (e.faults().isEmpty() ? List.of(String.valueOf(e.getMessage())) : e.faults()).forEach(terminal::error);
            return ExitCode.MISUSE;
        } catch (IOException e) {
            return unwritable(e, terminal);
        } catch (OutOfMemoryError e) {
            String heap = Progress.bytes(Runtime.getRuntime().maxMemory());
            terminal.error("out of memory: the heap is limited to " + heap
                    + "; raise the limit with OFFHOOK_JAVA_OPTIONS=-Xmx...");
            return ExitCode.INTERNAL;
        } catch (FileTruncatedException e) {
            terminal.error(String.valueOf(e.getMessage()));
            return ExitCode.UNREADABLE;
        } catch (ServiceConfigurationError e) {
            terminal.error(unloadable(e));
            return ExitCode.MISUSE;
        } catch (RuntimeException | Error e) {
            // the JSON generator wraps exceptions of the output
            return e.getCause() instanceof IOException io ? unwritable(io, terminal) : internal(e, terminal);
        }
    }

    private static int dispatch(String[] args, Terminal terminal) throws IOException {
        if (args.length == 0) {
            terminal.err().print(Usage.ofOffhook(terminal.helpWidth()));
            return ExitCode.MISUSE;
        }
        switch (args[0]) {
            case "--version", "-V" -> terminal.out().append(Version.text()).append('\n');
            case "--help", "-h" -> terminal.out().append(Usage.ofOffhook(terminal.helpWidth()));
            case "help" -> {
                String[] asked = Arrays.copyOfRange(args, 1, args.length + 1);
                asked[args.length - 1] = "--help";
                return dispatch(asked, terminal);
            }
            default -> {
                Subcommand subcommand = Subcommand.named(args[0]);
                if (subcommand == null) {
                    throw new MisuseException(Usage.unknownCommand(args[0]));
                }
                return Usage.run(subcommand, Arrays.copyOfRange(args, 1, args.length), terminal);
            }
        }
        return ExitCode.DONE;
    }

    private static int unwritable(IOException e, Terminal terminal) {
        if (e instanceof OutputClosedException) {
            return ExitCode.DONE;
        }
        terminal.error("the output cannot be written: " + e.getMessage());
        return ExitCode.UNWRITABLE;
    }

    /** Describes a service that failed to load; the error's message names service and provider. */
    private static String unloadable(ServiceConfigurationError e) {
        Throwable cause = e.getCause();
        return "a service cannot be loaded: " + e.getMessage() + (cause == null ? "" : ": " + cause)
                + "; correct the jar that provides it, or remove it from the class path";
    }

    private static int internal(Throwable e, Terminal terminal) {
        try {
            terminal.flush(); // what was printed before the error
        } catch (IOException | RuntimeException unwritable) {
            // the error reported below matters more
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof InternalError
                    && String.valueOf(cause.getMessage()).contains("memory access")) {
                terminal.error(
                        "a capture file was truncated while it was read; read it again once it no longer changes");
                return ExitCode.UNREADABLE;
            }
        }
        terminal.defect("internal error (a bug in Offhook)", e);
        return ExitCode.INTERNAL;
    }
}
