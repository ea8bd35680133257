package io.offhook.metrics;

import java.util.List;
import java.util.Locale;

/** A metric as Prometheus knows it, without its values. */
public interface Metric {
    /**
     * Its name, with the unit at the end ({@code _seconds}, {@code _bytes}); that of a counter ends in {@code _total} behind the
     * unit.
     */
    String fullName();

    /** What kind of metric it is. */
    Type type();

    /** The names of its labels, in the order in which values are given. */
    List<String> labels();

    /** What it is, as a sentence without line breaks and backslashes. */
    String help();

    /** The types of the text format. */
    enum Type {
        /** What only grows while the program runs. */
        COUNTER,
        /** What goes up and down. */
        GAUGE,
        /** How many values were at most as high as each of some bounds, and their sum. */
        HISTOGRAM;

        /** The name in the text format: lower case. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
