package io.offhook.cli.terminal;

import io.offhook.linux.LinuxException;
import io.offhook.linux.ProcessSignal;
import java.util.concurrent.CompletableFuture;

/**
 * Ctrl-C (SIGINT), SIGTERM and SIGHUP as a way to end a command that would run for ever: the first asks it to stop, and
 * the process then ends as the command does, with its code; the second ends the process at once.
 */
public final class Interruption implements AutoCloseable {
    private final Runnable stop;
    private final CompletableFuture<Integer> code = new CompletableFuture<>();
    private final Thread hook;
    private volatile boolean isInterrupted;

    private Interruption(Runnable stop) {
        this.stop = stop;
        hook = new Thread(this::interrupted, "offhook-interruption");
    }

    /** @param stop asks the command to end; called once, on a thread of its own */
    public static Interruption of(Runnable stop) {
        Interruption interruption = new Interruption(stop);
        Terminal.beforeExit(interruption.code::complete);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void interrupted() {
        isInterrupted = true;
        try {
            ProcessSignal.INTERRUPT.restoreDefault();
            ProcessSignal.TERMINATE.restoreDefault();
        } catch (LinuxException e) {
            // then a second one does nothing, and the first is waited for
        }
        stop.run();
        Runtime.getRuntime().halt(code.join());
    }

    public boolean isInterrupted() {
        return isInterrupted;
    }

    /** The command has ended: a signal ends the process as it always does. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
            Terminal.beforeExit(null);
        } catch (IllegalStateException e) {
            // a signal has come, and the hook waits for the code
        }
    }
}
