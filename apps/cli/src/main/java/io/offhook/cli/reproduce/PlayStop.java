package io.offhook.cli.reproduce;

import io.offhook.cli.terminal.Interruption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Ends playing by Ctrl-C, SIGTERM or SIGHUP: the script that is played, with both sipp, and all that would be played after it. The
 * command goes on, and writes what it has.
 */
final class PlayStop implements AutoCloseable {
    private static final long PATIENCE_S = 5;

    private final Interruption interruption;
    private @Nullable Process playing;

    PlayStop() {
        interruption = Interruption.of(this::stop);
    }

    /** Whether a signal has come. */
    boolean isStopped() {
        return interruption.isInterrupted();
    }

    /** A script was started; it ends at once if a signal has come before. */
    synchronized void began(Process script) {
        playing = script;
        if (isStopped()) {
            end(script);
        }
    }

    private synchronized void stop() {
        Process script = playing;
        if (script != null) {
            end(script);
        }
    }

    /** Ends a script and both sipp, and waits until they have ended. */
    static void end(Process script) {
        List<ProcessHandle> all = new ArrayList<>(script.descendants().toList());
        all.add(script.toHandle());
        all.forEach(ProcessHandle::destroy);
        for (ProcessHandle one : all) {
            try {
                one.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                one.destroyForcibly();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                one.destroyForcibly();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    /** Restores the default handling of signals. */
    @Override
    public void close() {
        interruption.close();
    }
}
