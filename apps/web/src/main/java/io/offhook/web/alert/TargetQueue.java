package io.offhook.web.alert;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The notices that wait for a target, and the thread that sends them, so that a target that is slow or dead delays nobody. What
 * fails is tried again after pauses that double; what is beyond the queue is dropped and counted.
 */
final class TargetQueue implements AutoCloseable {
    private static final int MOST_WAITING = 100;
    private static final int ATTEMPTS = 5;
    private static final long FIRST_PAUSE_NS = 1_000_000_000L;

    private final BlockingQueue<Notice> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final NoticeSender sender;
    private final Pause pause;
    private final Thread thread;
    private final LongAdder sent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private volatile @Nullable String lastFailure;

    /** Waits between attempts. */
    @FunctionalInterface
    interface Pause {
        /** Waits for so many nanoseconds. */
        void await(long ns) throws InterruptedException;
    }

    TargetQueue(String name, NoticeSender sender, Pause pause) {
        this.sender = sender;
        this.pause = pause;
        thread = Thread.ofVirtual().name("offhook-alert-" + name).start(this::run);
    }

    /** Never waits. */
    void add(Notice notice) {
        if (!waiting.offer(notice)) {
            dropped.increment();
        }
    }

    private void run() {
        try {
            while (true) {
                send(waiting.take());
            }
        } catch (InterruptedException _) {
            // closed
        }
    }

    private void send(Notice notice) throws InterruptedException {
        long pauseNs = FIRST_PAUSE_NS;
        for (int attempt = 1; ; attempt++) {
            try {
                sender.send(notice);
                sent.increment();
                return;
            } catch (IOException | RuntimeException e) {
                lastFailure = String.valueOf(e.getMessage());
                if (attempt == ATTEMPTS || e instanceof NoticeSender.RefusedException) {
                    failed.increment();
                    return;
                }
            }
            pause.await(pauseNs);
            pauseNs *= 2;
        }
    }

    /** What became of notices so far. */
    Counts counts() {
        return new Counts(sent.sum(), failed.sum(), dropped.sum(), lastFailure);
    }

    /** The figures of a target. */
    record Counts(
            long sent, long failed, long dropped, @Nullable String lastFailure) {}

    /** Ends at once; what waits is not sent. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(1000);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
