package io.offhook.research.layout;

import io.offhook.research.NativeCode;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Checks before measuring that all techniques of a group compute the same result over the same values. Numbers of different
 * widths are different groups here.
 */
final class Agreement {
    private static final List<Supplier<LayoutState>> STATES =
            List.of(PaddingBenchmark::new, AlignmentBenchmark::new, ByteOrderBenchmark::new, UnsignedBenchmark::new);

    private Agreement() {}

    /** A process that checks; the JVM needs an option that allows Unsafe. */
    public static void main(String[] args) {
        check(new NativeCode("layout").missing() == null);
    }

    /**
     * Runs each technique once.
     *
     * @param peers whether to run the techniques in C as well
     * @return the number of techniques compared
     * @throws IllegalStateException when two differ
     */
    static int check(boolean peers) {
        int compared = 0;
        for (Supplier<LayoutState> states : STATES) {
            Map<String, Long> results = new HashMap<>();
            for (Method method : states.get().getClass().getDeclaredMethods()) {
                if (method.isAnnotationPresent(Benchmark.class)
                        && (peers || !method.getName().endsWith("_C"))) {
                    long result = run(states.get(), method);
                    Long other = results.putIfAbsent(key(method.getName()), result);
                    if (other != null && other != result) {
                        throw new IllegalStateException(method.getName() + " comes to another result than its peers");
                    }
                    compared++;
                }
            }
        }
        return compared;
    }

    /** Group, and width where the name has one: "read_u8" of "read_u8Checked". */
    private static String key(String method) {
        return method.replaceFirst("^([a-z]+)_(u\\d+)?.*$", "$1 $2");
    }

    private static long run(LayoutState state, Method method) {
        state.setUp();
        try {
            Object result = method.invoke(state);
            return 31 * (result instanceof Long sum ? sum : 0) + state.digest();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(method.getName() + " failed", e);
        }
    }
}
