package io.offhook.packet.buffer;

import java.util.List;

/** Waits for threads that read memory which the caller frees afterwards, so that an interrupt has to wait. */
public final class BorrowingThreads {
    private BorrowingThreads() {}

    /** Waits until a thread has ended; an interrupt of the caller is kept for later. */
    public static void join(Thread thread) {
        join(List.of(thread));
    }

    /** As {@link #join(Thread)}, for several. */
    public static void join(List<Thread> threads) {
        boolean isInterrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
