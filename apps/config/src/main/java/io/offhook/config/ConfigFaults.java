package io.offhook.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the faults found so far. */
public final class ConfigFaults {
    /** The most faults that are listed: a file of another kind has one per line. */
    static final int MAX = 100;

    private final List<ConfigFault> faults = new ArrayList<>();
    private int others;

    ConfigFaults() {}

    /** Adds a fault; faults beyond 100 are only counted. */
    public void add(ConfigPlace place, String text) {
        if (faults.size() < MAX) {
            faults.add(new ConfigFault(place, text));
        } else {
            others++;
        }
    }

    /** Whether there is a fault at or below a path; values that refer to it then need no fault of their own. */
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

    /**
     * Creates the exception, with faults in the order of the file. Faults without a line come first; the number of
     * unlisted faults comes last.
     */
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
