package io.offhook.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/**
 * Hot methods and allocation of the threads of a JVM, out of the stream of events that {@link PauseStream} has started: samples of
 * stacks, and what the JVM counts of each thread's allocation. Bounded: of a thread, the first 1,000 methods are told apart.
 */
final class ProfileStream {
    /** What is to be switched on for it: the time between two samples, and between two counts of allocation. */
    static final String SETTINGS = " +jdk.ExecutionSample#enabled=true +jdk.ExecutionSample#period=20ms"
            + " +jdk.ThreadAllocationStatistics#enabled=true +jdk.ThreadAllocationStatistics#period=1s";

    private static final String SAMPLE = "jdk.ExecutionSample";
    private static final String ALLOCATION = "jdk.ThreadAllocationStatistics";
    private static final int MOST_THREADS = 10_000;
    private static final int SHOWN = 10;

    private final Map<Integer, Counted> threads = new HashMap<>();

    private static final class Counted {
        final Map<String, Long> methods = new HashMap<>();
        long samples;
        long firstBytes = -1;
        long lastBytes;

        @Nullable
        Instant first;

        @Nullable
        Instant last;

        /** Since they were taken last. */
        final Map<String, Long> recentMethods = new HashMap<>();

        long recentSamples;
        long takenBytes;

        @Nullable
        Instant taken;

        void sample(String method) {
            samples++;
            recentSamples++;
            count(methods, method);
            count(recentMethods, method);
        }

        private static void count(Map<String, Long> methods, String method) {
            boolean isRoom = methods.size() < ThreadProfile.MOST_METHODS || methods.containsKey(method);
            methods.merge(isRoom ? method : ThreadProfile.OTHER_METHODS, 1L, Long::sum);
        }

        /** A number that is less than before is that of another thread, which has its id now. */
        void allocated(long bytes, Instant at) {
            if (firstBytes < 0 || bytes < lastBytes) {
                firstBytes = bytes;
                first = at;
                takenBytes = bytes;
                taken = at;
            }
            lastBytes = bytes;
            last = at;
        }

        ThreadProfile profile() {
            ThreadProfile all = ThreadProfile.of(
                    samples, methods, Math.max(0, lastBytes - Math.max(0, firstBytes)), nsBetween(first, last));
            return new ThreadProfile(
                    samples, all.methods().stream().limit(SHOWN).toList(), all.allocatedBytes(), all.allocationNs());
        }

        ThreadProfile take() {
            ThreadProfile recent = ThreadProfile.of(
                    recentSamples, recentMethods, Math.max(0, lastBytes - takenBytes), nsBetween(taken, last));
            recentSamples = 0;
            recentMethods.clear();
            takenBytes = lastBytes;
            taken = last;
            return recent;
        }

        private static long nsBetween(@Nullable Instant from, @Nullable Instant to) {
            return from == null || to == null
                    ? 0
                    : Math.max(0, Duration.between(from, to).toNanos());
        }
    }

    /** Has events delivered, before the stream is started. */
    void subscribe(EventStream events) {
        events.onEvent(SAMPLE, this::sample);
        events.onEvent(ALLOCATION, this::allocation);
    }

    private synchronized void sample(RecordedEvent event) {
        RecordedStackTrace stack = event.getStackTrace();
        Counted thread = thread(event.getThread("sampledThread"));
        if (thread != null && stack != null && !stack.getFrames().isEmpty()) {
            thread.sample(name(stack.getFrames().getFirst()));
        }
    }

    private static String name(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        return method == null ? "(unknown)" : method.getType().getName() + "." + method.getName();
    }

    private synchronized void allocation(RecordedEvent event) {
        Counted thread = thread(event.getThread("thread"));
        if (thread != null) {
            thread.allocated(event.getLong("allocated"), event.getStartTime());
        }
    }

    /** Virtual threads have no native id, and are left out. */
    private @Nullable Counted thread(@Nullable RecordedThread thread) {
        int id = thread == null ? 0 : (int) thread.getOSThreadId();
        boolean isRoom = threads.size() < MOST_THREADS || threads.containsKey(id);
        return id <= 0 || !isRoom ? null : threads.computeIfAbsent(id, _ -> new Counted());
    }

    /** What is known by now, by native ids. */
    synchronized Map<Integer, ThreadProfile> profiles() {
        Map<Integer, ThreadProfile> profiles = new HashMap<>();
        threads.forEach((id, counted) -> profiles.put(id, counted.profile()));
        return profiles;
    }

    /** What has become known since it was taken last, by native ids, with all methods; without threads of which nothing has. */
    synchronized Map<Integer, ThreadProfile> take() {
        Map<Integer, ThreadProfile> recent = new HashMap<>();
        threads.forEach((id, counted) -> {
            ThreadProfile profile = counted.take();
            if (profile.samples() > 0 || profile.allocationNs() > 0) {
                recent.put(id, profile);
            }
        });
        return recent;
    }
}
