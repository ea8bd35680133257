package io.offhook.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
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
    private static final int MOST_METHODS = 1000;
    private static final int MOST_THREADS = 10_000;
    private static final int SHOWN = 10;
    private static final String OTHERS = "(other methods)";

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

        void sample(String method) {
            samples++;
            boolean isRoom = methods.size() < MOST_METHODS || methods.containsKey(method);
            methods.merge(isRoom ? method : OTHERS, 1L, Long::sum);
        }

        /** A number that is less than before is that of another thread, which has its id now. */
        void allocated(long bytes, Instant at) {
            if (firstBytes < 0 || bytes < lastBytes) {
                firstBytes = bytes;
                first = at;
            }
            lastBytes = bytes;
            last = at;
        }

        ThreadProfile profile() {
            List<ThreadProfile.HotMethod> hot = methods.entrySet().stream()
                    .map(entry -> new ThreadProfile.HotMethod(entry.getKey(), entry.getValue()))
                    .sorted((a, b) -> a.samples() == b.samples()
                            ? a.name().compareTo(b.name())
                            : Long.compare(b.samples(), a.samples()))
                    .limit(SHOWN)
                    .toList();
            Instant from = first;
            Instant to = last;
            long ns =
                    from == null || to == null ? 0 : Duration.between(from, to).toNanos();
            return new ThreadProfile(samples, hot, Math.max(0, lastBytes - Math.max(0, firstBytes)), Math.max(0, ns));
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
}
