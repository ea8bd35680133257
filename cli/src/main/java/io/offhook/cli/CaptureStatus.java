package io.offhook.cli;

import io.offhook.live.LiveCounts;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The line on standard error that says how a capture goes: packets, their rate, and what was lost to whom. Redrawn each
 * second on a terminal; elsewhere a line after the first second, and each ten.
 */
final class CaptureStatus implements AutoCloseable {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final int SECONDS_BETWEEN_LINES = 10;

    private final CaptureRun run;
    private final PrintStream err;
    private final boolean isTerminal;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    private CaptureStatus(CaptureRun run, Terminal terminal) {
        this.run = run;
        err = terminal.err();
        isTerminal = terminal.isErrTerminal();
        thread = Thread.ofPlatform().daemon().name("offhook-status").start(this::show);
    }

    /** Shows it until it is closed. */
    static CaptureStatus of(CaptureRun run, Terminal terminal) {
        return new CaptureStatus(run, terminal);
    }

    private void show() {
        try {
            long packets = 0;
            long bytes = 0;
            long sinceNs = System.nanoTime();
            for (long second = 1; !over.await(1, TimeUnit.SECONDS); second++) {
                if (!isTerminal && second % SECONDS_BETWEEN_LINES != 1) {
                    continue;
                }
                long nowNs = System.nanoTime();
                double seconds = (nowNs - sinceNs) / 1e9;
                long nowPackets = run.packets();
                long nowBytes = run.bytes();
                String line = line(
                        nowPackets,
                        Math.round((nowPackets - packets) / seconds),
                        Math.round((nowBytes - bytes) / seconds),
                        run.counts(),
                        run.diskDrops());
                err.print(isTerminal ? CLEAR_LINE + line : line + "\n");
                err.flush();
                packets = nowPackets;
                bytes = nowBytes;
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

    /** "12,345 packets, 1,204 a second, 1.2 MB/s; dropped by kernel 0, ring 0, disk 0". */
    static String line(long packets, long packetsPerSecond, long bytesPerSecond, LiveCounts counts, long diskDrops) {
        return Words.count(packets, "packet") + ", " + Decimals.grouped(packetsPerSecond) + " a second, "
                + Progress.bytes(bytesPerSecond) + "/s; " + drops(counts, diskDrops);
    }

    /** "dropped by kernel 0, ring 0, disk 0": by whom. */
    static String drops(LiveCounts counts, long diskDrops) {
        return "dropped by kernel " + Decimals.grouped(counts.kernelDrops()) + ", ring "
                + Decimals.grouped(counts.ringDrops()) + ", disk " + Decimals.grouped(diskDrops);
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
