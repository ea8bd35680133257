package io.offhook.proxy.routing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a {@link CallRouter} on virtual threads, with a deadline. The deadline is held by a platform thread, so that routers which
 * compute instead of waiting, and so keep the carriers of all virtual threads busy, delay no answer; one that ignores its
 * interruption keeps its permit until it ends. Thread-safe.
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
     * @param then takes the decision, or null if the router is late, fails, is busy or has no answer; called once, on
     *     any thread
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
        CompletableFuture<@Nullable RouteDecision> answer = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().name("router " + name).unstarted(() -> run(query, answer));
        CompletableFuture<?> _ = answer.orTimeout(config.deadlineMs(), TimeUnit.MILLISECONDS)
                .whenComplete((decision, failure) -> {
                    if (failure instanceof TimeoutException) {
                        thread.interrupt();
                        counters.late.increment();
                    }
                    then.accept(decision);
                });
        thread.start();
        return true;
    }

    /** Whatever is thrown by the code of a user, errors included, costs only this request. */
    private void run(RouteQuery query, CompletableFuture<@Nullable RouteDecision> answer) {
        @Nullable RouteDecision decision = null;
        LongAdder counter = counters.failed;
        try {
            decision = jar.router().route(query);
            counter = decision == null ? counters.empty : counters.answered;
        } catch (Throwable _) {
            counter = counters.failed;
        }
        permits.release();
        if (!answer.isDone()) {
            counter.increment();
        }
        answer.complete(decision);
        jar.release();
    }

    RouterConfig config() {
        return config;
    }

    /** Closes the router when its last request has ended. */
    void close() {
        jar.release();
    }
}
