package io.offhook.proxy.routing;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a {@link CallRouter} on virtual threads, with a deadline. One virtual thread runs the router, a second waits for it, so
 * that a router which ignores its interruption delays nobody; it keeps its permit until it ends. Thread-safe.
 */
final class CustomRouter {
    private final String name;
    private final RouterConfig config;
    private final RouterJar jar;
    private final Semaphore permits;
    private final Counters counters;

    /** What is counted of a router, across reloads. */
    static final class Counters {
        final LongAdder answered = new LongAdder();
        final LongAdder late = new LongAdder();
        final LongAdder failed = new LongAdder();
        final LongAdder empty = new LongAdder();
        final LongAdder refused = new LongAdder();

        RouterCounts counts() {
            return new RouterCounts(answered.sum(), late.sum(), failed.sum(), empty.sum(), refused.sum());
        }
    }

    /** @throws RouterException if the jar cannot be loaded */
    CustomRouter(String name, RouterConfig config, Counters counters) {
        this.name = name;
        this.config = config;
        this.counters = counters;
        permits = new Semaphore(config.concurrent());
        jar = RouterJar.load(config.jar().value());
    }

    /**
     * Asks about a request.
     *
     * @param then takes the decision, or null if the router is late, fails, is busy or has no answer; called once, on a
     *     virtual thread or on the caller's
     * @return false if it was closed by a reload: {@code then} is not called
     */
    boolean ask(RouteQuery query, Consumer<@Nullable RouteDecision> then) {
        if (!jar.use()) {
            return false;
        }
        if (!permits.tryAcquire()) {
            jar.release();
            counters.refused.increment();
            then.accept(null);
            return true;
        }
        FutureTask<@Nullable RouteDecision> task =
                new FutureTask<>(() -> jar.router().route(query));
        Thread.ofVirtual().name("router " + name).start(() -> {
            try {
                task.run();
            } finally {
                permits.release();
                jar.release();
            }
        });
        Thread.ofVirtual().name("waits for router " + name).start(() -> then.accept(await(task)));
        return true;
    }

    private @Nullable RouteDecision await(FutureTask<@Nullable RouteDecision> task) {
        try {
            @Nullable RouteDecision decision = task.get(config.deadlineMs(), TimeUnit.MILLISECONDS);
            (decision == null ? counters.empty : counters.answered).increment();
            return decision;
        } catch (TimeoutException e) {
            task.cancel(true);
            counters.late.increment();
        } catch (ExecutionException | CancellationException e) {
            counters.failed.increment();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            task.cancel(true);
            counters.failed.increment();
        }
        return null;
    }

    RouterConfig config() {
        return config;
    }

    /** Closes the router when its last request has ended. */
    void close() {
        jar.release();
    }
}
