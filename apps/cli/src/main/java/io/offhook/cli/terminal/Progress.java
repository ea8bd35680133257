package io.offhook.cli.terminal;

import io.offhook.report.text.Decimals;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A progress line on the terminal. It appears after a second and is erased at the end. Nothing is shown if standard error is
 * not a terminal.
 */
public final class Progress implements AutoCloseable {
    private static final long PATIENCE_MS = 1000;
    private static final long INTERVAL_MS = 200;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final Supplier<String> line;
    private final PrintStream err;
    private final CountDownLatch over = new CountDownLatch(1);
    private final @Nullable Thread thread;

    private Progress(Supplier<String> line, Terminal terminal) {
        this.line = line;
        err = terminal.err();
        thread = terminal.isErrTerminal()
                ? Thread.ofPlatform().daemon().name("progress").start(this::show)
                : null;
    }

    /** @param line the text; called repeatedly by another thread */
    public static Progress of(Supplier<String> line, Terminal terminal) {
        return new Progress(line, terminal);
    }

    private void show() {
        try {
            if (over.await(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                return;
            }
            do {
                err.print(CLEAR_LINE + line.get());
                err.flush();
            } while (!over.await(INTERVAL_MS, TimeUnit.MILLISECONDS));
            err.print(CLEAR_LINE);
            err.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** "  47 % of 2.6 GB", or "1.2 GB" if the total is unknown. */
    public static String line(long position, long size) {
        if (size <= 0) {
            return "  " + bytes(position) + " read ";
        }
        long percent = Math.min(100, (long) (100.0 * position / size));
        return " ".repeat(percent < 10 ? 4 : percent < 100 ? 3 : 2) + percent + " % of " + bytes(size) + " ";
    }

    /** "1.2 GB": with powers of ten. */
    public static String bytes(long bytes) {
        double amount = bytes;
        String[] units = {"bytes", "kB", "MB", "GB", "TB", "PB"};
        int unit = 0;
        while (amount >= 999.95 && unit < units.length - 1) {
            amount /= 1000;
            unit++;
        }
        return Decimals.text(amount, unit == 0 ? 0 : 1) + " " + units[unit];
    }

    @Override
    public void close() {
        over.countDown();
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
