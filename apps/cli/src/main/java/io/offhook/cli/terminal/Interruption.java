package io.offhook.cli.terminal;

import io.offhook.linux.LinuxException;
import io.offhook.linux.ProcessSignal;
import java.util.concurrent.CompletableFuture;

/**
 * Ends an endless command by Ctrl-C (SIGINT), SIGTERM or SIGHUP. The first signal asks the command to stop, and the process
 * exits with the code of the command; the second ends the process at once.
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

    /** @param stop asks the command to end; called once, on a separate thread */
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
            // a second signal then has no effect, and the first is still handled
        }
        stop.run();
        Runtime.getRuntime().halt(code.join());
    }

    public boolean isInterrupted() {
        return isInterrupted;
    }

    /** Restores the default handling of signals, after the command ended. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
            Terminal.beforeExit(null);
        } catch (IllegalStateException e) {
            // a signal has arrived, and the hook waits for the code
        }
    }
}
