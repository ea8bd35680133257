package io.offhook.research.call;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.research.Effort;
import io.offhook.research.Forks;
import io.offhook.research.Measurement;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Up-calls by a thread that Java did not start. The JVM must know a thread before it runs Java: JNI's code attaches it, for
 * each call or once; an FFM stub attaches it at its first call, until it ends. The clock is read in C.
 */
final class NativeThreadCalls {
    static final String FIRST = "native thread, first call";
    static final String FURTHER = "native thread, further calls";

    private static final MethodHandle CALL_BACK = CallNatives.CODE.downcall(
            "offhook_call_back_by_thread", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS));

    private NativeThreadCalls() {}

    /** How native code comes to Java. */
    enum Way {
        JNI_EACH("JNI, attached for each call"),
        JNI_ONCE("JNI, attached once"),
        FFM("FFM");

        final String words;

        Way(String words) {
            this.words = words;
        }
    }

    static List<Measurement> measure(Effort effort) {
        List<Measurement> first = new ArrayList<>();
        List<Measurement> further = new ArrayList<>();
        for (Way way : Way.values()) {
            int calls = way == Way.JNI_EACH ? effort.pick(2_000, 200) : effort.pick(1_000_000, 20_000);
            List<String> lines = Forks.run(
                    NativeThreadCalls.class, way.name(), Integer.toString(effort.pick(60, 6)), Integer.toString(calls));
            first.add(measurement(FIRST, way, lines, 0));
            further.add(measurement(FURTHER, way, lines, 1));
        }
        first.addAll(further);
        return first;
    }

    /** The first third of the threads warm up. */
    private static Measurement measurement(String group, Way way, List<String> lines, int column) {
        double[] ns = lines.stream()
                .skip(lines.size() / 3)
                .mapToDouble(line -> Double.parseDouble(line.split("\t", -1)[column]))
                .sorted()
                .toArray();
        String range = String.format(Locale.ROOT, "median of threads; %,.1f to %,.1f", ns[0], ns[ns.length - 1]);
        return new Measurement(group, way.words, ns[ns.length / 2], null, "ns", ns.length, range);
    }

    /**
     * Prints a line per thread: the nanoseconds of its first call, and of one of the others on average, with a tab.
     *
     * @param args a {@link Way}, the number of threads, one after the other, and of calls by each
     */
    public static void main(String[] args) {
        Way way = Way.valueOf(args[0]);
        int threads = Integer.parseInt(args[1]);
        int calls = Integer.parseInt(args[2]);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment stub = CallBenchmark.stub();
            for (int i = 0; i < threads; i++) {
                long before = CallNatives.callsBack;
                long[] ns = thread(way, calls, stub, arena);
                if (CallNatives.callsBack - before != calls) {
                    throw new IllegalStateException(
                            "of " + calls + " calls " + (CallNatives.callsBack - before) + " came to Java");
                }
                System.out.println(ns[0] + "\t" + (double) ns[1] / (calls - 1));
            }
        }
    }

    /** Returns the nanoseconds of the first call of a new thread, and of all others together. */
    static long[] thread(Way way, int calls, MemorySegment stub, Arena arena) {
        long[] ns = new long[2];
        int error;
        if (way == Way.FFM) {
            MemorySegment both = arena.allocate(JAVA_LONG, 2);
            error = byFfm(stub, calls, both);
            Arrays.setAll(ns, i -> both.getAtIndex(JAVA_LONG, i));
        } else {
            error = CallNatives.callBackByThread(way == Way.JNI_EACH, calls, ns);
        }
        if (error != 0) {
            throw new IllegalStateException("native code started no thread: error " + error);
        }
        return ns;
    }

    private static int byFfm(MemorySegment stub, long calls, MemorySegment both) {
        try {
            return (int) CALL_BACK.invokeExact(stub, calls, both);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
