package io.offhook.monitor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many virtual threads of a JVM do what. The JVM counts those that run; those that wait are found in a dump to a file only.
 *
 * @param mounted that a thread of the scheduler carries: they run, or wait and hold their carrier (are pinned)
 * @param queued that could run, but have no carrier; -1 if the JVM does not say: it does from Java 24 on
 * @param parallelism how many may run at a time; -1 if the JVM does not say
 */
public record VirtualThreads(int mounted, int queued, int parallelism) {
    /** {@code java.util.concurrent.ForkJoinPool@3330c426[Running, parallelism = 2, ..., tasks = 0, submissions = 0]}. */
    private static final Pattern SCHEDULER = Pattern.compile(
            "ForkJoinPool@\\p{XDigit}+\\[[^\\]]*?parallelism = (\\d{1,9}),[^\\]]*? tasks = (\\d{1,9}), submissions = (\\d{1,9})");

    /**
     * Of what the JVM says of its scheduler.
     *
     * @param scheduler what {@code jcmd Thread.vthread_scheduler} prints; what is not understood is left out
     */
    static VirtualThreads of(int mounted, String scheduler) {
        Matcher matcher = SCHEDULER.matcher(scheduler);
        return matcher.find()
                ? new VirtualThreads(
                        mounted,
                        Integer.parseInt(matcher.group(2)) + Integer.parseInt(matcher.group(3)),
                        Integer.parseInt(matcher.group(1)))
                : new VirtualThreads(mounted, -1, -1);
    }
}
