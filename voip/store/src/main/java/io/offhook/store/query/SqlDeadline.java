package io.offhook.store.query;

import java.time.Duration;

/** Runs something unless it is closed in time. */
final class SqlDeadline implements AutoCloseable {
    private final Thread waiting;

    private SqlDeadline(Thread waiting) {
        this.waiting = waiting;
    }

    static SqlDeadline after(long ms, Runnable late) {
        return new SqlDeadline(Thread.ofPlatform()
                .daemon()
                .name("offhook-sql-limit")
                .start(() -> {
                    try {
                        Thread.sleep(Duration.ofMillis(ms));
                        late.run();
                    } catch (InterruptedException _) {
                        // it was in time
                    }
                }));
    }

    @Override
    public void close() {
        waiting.interrupt();
    }
}
