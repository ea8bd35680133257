package io.offhook.cli.screen;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Work that reads statistics of calls while an analysis runs: it waits until the analysis is between two rounds, where these stand
 * still, and is done at once when the analysis has ended. Of any thread.
 */
final class BetweenRounds {
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean isEnded;

    /** Asks for work to be done; what it throws completes the future. */
    synchronized <T> CompletableFuture<T> ask(Supplier<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        waiting.add(() -> {
            try {
                done.complete(work.get());
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        if (isEnded) {
            grant();
        }
        return done;
    }

    /** Does what waits; called by the analysis between its rounds. */
    synchronized void grant() {
        waiting.forEach(Runnable::run);
        waiting.clear();
    }

    /** The analysis has ended, whatever way: does what waits, and what comes, at once. */
    synchronized void end() {
        isEnded = true;
        grant();
    }
}
