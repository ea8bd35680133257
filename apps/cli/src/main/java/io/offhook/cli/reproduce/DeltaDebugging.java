package io.offhook.cli.reproduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes elements of a list while what is left still passes a test: ddmin of Zeller and Hildebrandt, "Simplifying and Isolating
 * Failure-Inducing Input" (2002). The result is 1-minimal, if the test allows as many calls as that takes.
 *
 * @param <T> the elements
 */
final class DeltaDebugging<T> {
    private final Test<T> test;

    /**
     * Tests what is left.
     *
     * @param <T> the elements
     */
    @FunctionalInterface
    interface Test<T> {
        /** Whether these elements, in their order, still have what is looked for. */
        boolean passes(List<T> elements) throws IOException;
    }

    DeltaDebugging(Test<T> test) {
        this.test = test;
    }

    /** @param all elements, which pass the test */
    List<T> minimize(List<T> all) throws IOException {
        List<T> left = List.copyOf(all);
        int parts = 2;
        while (left.size() >= 2) {
            List<T> smaller = smaller(left, parts);
            if (smaller != null) {
                left = smaller;
                parts = Math.max(parts - 1, 2);
            } else if (parts >= left.size()) {
                break;
            } else {
                parts = Math.min(left.size(), 2 * parts);
            }
        }
        return left;
    }

    /** The elements without one of so many parts, with which the test still passes; null if there is none. */
    private @Nullable List<T> smaller(List<T> left, int parts) throws IOException {
        // the last parts first: what comes late depends on what is before it, and not the other way round
        for (int i = parts - 1; i >= 0; i--) {
            int from = (int) ((long) left.size() * i / parts);
            int until = (int) ((long) left.size() * (i + 1) / parts);
            List<T> without = new ArrayList<>(left.subList(0, from));
            without.addAll(left.subList(until, left.size()));
            if (until > from && !without.isEmpty() && test.passes(without)) {
                return without;
            }
        }
        return null;
    }
}
