package io.offhook.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The faults found so far. */
public final class ConfigFaults {
    /** More are not told: a file of another kind has one a line. */
    static final int MAX = 100;

    private final List<ConfigFault> faults = new ArrayList<>();
    private int others;

    ConfigFaults() {}

    /** One more; beyond 100 they are only counted. */
    public void add(ConfigPlace place, String text) {
        if (faults.size() < MAX) {
            faults.add(new ConfigFault(place, text));
        } else {
            others++;
        }
    }

    /** Whether something at or below a path is faulty: what refers to it need not be told as well. */
    public boolean has(String path) {
        return faults.stream()
                .map(fault -> fault.place().path())
                .anyMatch(at -> at.startsWith(path)
                        && (at.length() == path.length()
                                || path.isEmpty()
                                || ".[".indexOf(at.charAt(path.length())) >= 0));
    }

    boolean isEmpty() {
        return faults.isEmpty();
    }

    /** In the order of the file; what is of no line comes first, and last how many are not told. */
    ConfigException exception() {
        List<ConfigFault> sorted = new ArrayList<>(faults);
        sorted.sort(Comparator.comparingInt((ConfigFault fault) -> fault.place().line())
                .thenComparingInt(fault -> fault.place().column()));
        if (others > 0) {
            String source = sorted.getLast().place().source();
            String text = others == 1 ? "one more fault is not listed" : others + " more faults are not listed";
            sorted.add(new ConfigFault(new ConfigPlace(source, 0, 0, ""), text));
        }
        return new ConfigException(sorted);
    }
}
