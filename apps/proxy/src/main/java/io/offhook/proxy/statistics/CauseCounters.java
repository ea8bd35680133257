package io.offhook.proxy.statistics;

import java.util.Locale;

/**
 * A counter for each constant of an enum: why messages were dropped, which limit was reached. One thread writes.
 *
 * @param <E> the causes
 */
@SuppressWarnings("EnumOrdinal") // used as an index only
public final class CauseCounters<E extends Enum<E>> {
    private final String group;
    private final E[] causes;
    private final CounterArray counts;

    /**
     * Counters that are all 0.
     *
     * @param group what the causes have in common, in lower case: "dropped"
     */
    public CauseCounters(String group, Class<E> causes) {
        if (!group.matches("[a-z][a-z_]{0,30}")) {
            throw new IllegalArgumentException("\"" + group + "\" is no name of a group of counters: lower case and _");
        }
        this.group = group;
        this.causes = causes.getEnumConstants();
        counts = new CounterArray(this.causes.length);
    }

    /** Counts one; by the writer. */
    public void add(E cause) {
        counts.add(cause.ordinal(), 1);
    }

    String group() {
        return group;
    }

    int size() {
        return causes.length;
    }

    String word(int index) {
        return causes[index].name().toLowerCase(Locale.ROOT);
    }

    long get(int index) {
        return counts.get(index);
    }
}
