package io.offhook.live;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** The threads of this Java machine that compile: HotSpot's, as Linux lists them. */
final class CompilerThreads {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final long LOOK_NS = 4_000_000;
    /** So many looks in a row find none at work: between two compilations a thread sleeps for a moment, too. */
    private static final int QUIET_LOOKS = 3;

    private CompilerThreads() {}

    /**
     * Waits until nothing is left to be compiled.
     *
     * @param mostNs the longest wait, in nanoseconds
     * @return whether nothing was; true at once where threads are not listed
     */
    static boolean awaitIdle(long mostNs) {
        long startNs = System.nanoTime();
        int quiet = 0;
        while (quiet < QUIET_LOOKS) {
            if (System.nanoTime() - startNs >= mostNs) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NS);
            quiet = isOneAtWork() ? 0 : quiet + 1;
        }
        return true;
    }

    private static boolean isOneAtWork() {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                if (isAtWork(task)) {
                    return true;
                }
            }
        } catch (IOException e) {
            // elsewhere than on Linux
        }
        return false;
    }

    /** {@code 17 (C2 CompilerThre) R ...}: see proc_pid_stat(5). */
    private static boolean isAtWork(Path task) {
        try {
            String stat = Files.readString(task.resolve("stat"));
            return (stat.contains("(C1 Compiler") || stat.contains("(C2 Compiler")) && !stat.contains(") S ");
        } catch (IOException e) {
            return false; // it has ended
        }
    }
}
