package io.offhook.cli.terminal;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleFunction;

/**
 * A status line on standard error for long operations. On a terminal it is redrawn every second and erased at the end;
 * elsewhere a line is printed after the first second, and every ten seconds from then on.
 */
public final class StatusLine implements AutoCloseable {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final int SECONDS_BETWEEN_LINES = 10;

    private final Runnable eachSecond;
    private final DoubleFunction<String> line;
    private final PrintStream err;
    private final boolean isTerminal;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    private StatusLine(Runnable eachSecond, DoubleFunction<String> line, Terminal terminal) {
        this.eachSecond = eachSecond;
        this.line = line;
        err = terminal.err();
        isTerminal = terminal.isErrTerminal();
        thread = Thread.ofPlatform().daemon().name("offhook-status").start(this::show);
    }

    /**
     * Shows a status line until it is closed. Both functions are called by a separate thread.
     *
     * @param eachSecond called every second, whether or not the line is shown
     * @param line returns the text, given the seconds since the last text, or since the start
     */
    public static StatusLine of(Runnable eachSecond, DoubleFunction<String> line, Terminal terminal) {
        return new StatusLine(eachSecond, line, terminal);
    }

    private void show() {
        try {
            long sinceNs = System.nanoTime();
            for (long second = 1; !over.await(1, TimeUnit.SECONDS); second++) {
                eachSecond.run();
                if (!isTerminal && second % SECONDS_BETWEEN_LINES != 1) {
                    continue;
                }
                long nowNs = System.nanoTime();
                String text = line.apply((nowNs - sinceNs) / 1e9);
                err.print(isTerminal ? CLEAR_LINE + text : text + "\n");
                err.flush();
                sinceNs = nowNs;
            }
            if (isTerminal) {
                err.print(CLEAR_LINE);
                err.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
