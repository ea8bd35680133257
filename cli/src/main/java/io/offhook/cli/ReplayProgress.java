package io.offhook.cli;

import io.offhook.live.LanePlacement;
import io.offhook.live.Replay;
import io.offhook.live.ReplayReport;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What a replay does, on standard error from the first second on: a line that is drawn anew each second on a terminal, and
 * elsewhere a line every ten. It looks at the lanes meanwhile.
 */
final class ReplayProgress implements AutoCloseable {
    private static final long LOOK_MS = 100;
    private static final int LOOKS_A_SECOND = 10;
    private static final int SECONDS_A_LINE = 10;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final Replay replay;
    private final LanePlacement placement;
    private final boolean isTerminal;
    private final PrintStream err;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    private long lastSent;
    private long lastBytes;
    private long lastNs = System.nanoTime();

    private ReplayProgress(Replay replay, LanePlacement placement, Terminal terminal) {
        this.replay = replay;
        this.placement = placement;
        isTerminal = terminal.isErrTerminal();
        err = terminal.err();
        thread = Thread.ofPlatform().daemon().name("offhook-progress").start(this::show);
    }

    static ReplayProgress of(Replay replay, LanePlacement placement, Terminal terminal) {
        return new ReplayProgress(replay, placement, terminal);
    }

    private void show() {
        int looksALine = LOOKS_A_SECOND * (isTerminal ? 1 : SECONDS_A_LINE);
        int looks = 0;
        try {
            while (!over.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                placement.sample();
                if (++looks % looksALine == 0) {
                    err.print(isTerminal ? CLEAR_LINE + line() : line() + "\n");
                    err.flush();
                }
            }
            if (isTerminal && looks >= looksALine) {
                err.print(CLEAR_LINE);
                err.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String line() {
        ReplayReport report = replay.report();
        long nowNs = System.nanoTime();
        double seconds = (nowNs - lastNs) / 1e9;
        long sent = report.counts().sent();
        long bytes = report.counts().sentBytes();
        String line = line(report, (sent - lastSent) / seconds, (bytes - lastBytes) * 8 / seconds);
        lastNs = nowNs;
        lastSent = sent;
        lastBytes = bytes;
        return line;
    }

    /** "  12,345 packets, 1.2 MB; 1,000 packets/s, 0.8 Mbit/s; refused 0; at worst 0.1 ms late ". */
    static String line(ReplayReport report, double framesPerSecond, double bitsPerSecond) {
        return "  " + Words.count(report.counts().sent(), "packet") + ", "
                + Progress.bytes(report.counts().sentBytes()) + "; "
                + ReplayOutput.rates(framesPerSecond, bitsPerSecond)
                + "; refused " + Decimals.grouped(report.counts().refused()) + "; at worst "
                + Decimals.shortest(report.lateNs() / 1e6, 3) + " ms late ";
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
